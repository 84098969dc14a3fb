// The player of a class on a lesson: it goes where the lesson is, once, so that its teacher may look around there, but not on while an
// answer was not shown yet; and says which mark of its picture is touched.
import { hear, tell } from "../player/bus.js";

export function createLessonPlayer({ touched, ready }) {
  let at = "";
  let there = null;
  let lit = null;
  let ears = () => {};

  function go() {
    if (!there) return;
    tell(there.run, "sent", { what: { until: there.held ? there.at : null } });
    tell(there.run, "go", { at: there.at });
    tell(there.run, "sides", { only: there.place === null ? "picture" : "text" });
    if (there.place !== null) tell(there.run, "show", { place: there.place });
  }

  function follow(lesson) {
    if (there?.run !== lesson?.run) {
      ears();
      ears = lesson ? hear(lesson.run, { touched: ({ mark }) => touched((lit = mark)), ready: () => (go(), ready()) }) : () => {};
    }
    const now = lesson ? [lesson.run, lesson.name, lesson.at, lesson.held, lesson.place].join() : "";
    there = lesson;
    if (now !== at) go();
    at = now;
  }

  return { follow, lit: () => lit, end: () => ears() };
}
