// Entry point of the pages of a published site that have a player: a reading, readings beside each other, a lesson. One script serves all, so
// that a browser loads it once.
import { startComparing } from "./compare.js";
import { startLesson } from "./lesson.js";
import { startReading } from "./reading.js";

const STARTS = { replay: startReading, compare: startComparing, lesson: startLesson };

if (globalThis.document) {
  for (const [id, start] of Object.entries(STARTS)) {
    const root = document.getElementById(id);
    if (root) start(root);
  }
}
