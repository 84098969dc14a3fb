// Entry point of a replay file: its data are in blocks on the page, its player is that of the Trace page. What Python does there
// (components/trace, components/widgets) is done here or left out: the head, Simple and Full, the readings to switch between, the theme.
import { hear, tell } from "../player/bus.js";
import { el } from "../player/dom.js";
import { inAddress, setInAddress } from "../player/page_address.js";
import { createPlayer } from "../player/player.js";
import { createBar } from "./bar.js";
import { readBlock } from "./blocks.js";
import { createFull } from "./full.js";
import { createHead } from "./head.js";
import { endAtFirst, firstStep, namesOfReadings, readingNamed } from "./opening.js";

const FOLDED = "These parts are not in this file: Palimpsest itself can unfold them.";
const UNREADABLE = "This file cannot be read. Either it is not whole, or this browser is older than 2023 and cannot unpack it.";

const blocks = (kind) => Promise.all([...document.querySelectorAll(`script[id^="${kind}-"]`)].map(readBlock));

function startReplay(root, [texts, readings]) {
  for (const { document: number, frames } of readings) frames.text.whole = texts[number];
  let shown = null; // what is on the page: its player, and what ends it

  const bar = createBar({ depth: inAddress("depth") === "full" ? "full" : "simple", show, turn: (depth) => (setInAddress("depth", depth === "full" ? depth : ""), shown?.full.turn(depth), shown?.player.showAlgorithm(depth === "full")) });
  const place = el("main", {});
  root.replaceChildren(bar.node, place);

  function show(number, at = 0) {
    const reading = readings[number];
    if (shown) {
      shown.reading.left = shown.player.at;
      shown.end();
    }
    const box = el("div", { class: "player" });
    const full = createFull(reading, bar.depth());
    const head = createHead(reading, (known) => tell(reading.frames.run, "sent", { what: { known } }));
    place.replaceChildren(head.node, box, full.node);
    document.title = `${reading.question} · Palimpsest replay`;
    const player = createPlayer(box, reading.frames, { at: reading.left ?? at, vis: globalThis.vis, end: endAtFirst(inAddress("end")), stage: { question: reading.question, ending: reading.stage }, follows: false, algorithm: { shown: bar.depth() === "full" } });
    const ears = hear(reading.frames.run, {
      at: () => full.draw(player),
      settled: () => full.draw(player),
      want: ({ what }) => what.open && unfold(player, reading),
    });
    full.draw(player);
    shown = { reading, player, full, end: () => (ears(), player.destroy()) };
    bar.mark(number);
    setInAddress("reading", number ? String(number + 1) : "");
  }

  // There is no Python to fold anew: a tree is unfolded whole.
  function unfold(player, reading) {
    if (reading.unfolded) tell(reading.frames.run, "sent", { what: { number: Date.now(), picture: reading.unfolded } });
    else bar.announce(FOLDED);
  }

  bar.offer(namesOfReadings(readings));
  show(readingNamed(inAddress("reading"), readings.length), firstStep(inAddress("at")));
}

if (globalThis.document) {
  const root = document.getElementById("replay");
  const refuse = () => root.replaceChildren(el("p", { role: "alert", text: UNREADABLE }));
  Promise.all(["text", "reading"].map(blocks)).then((read) => startReplay(root, read), refuse);
}
