// Entry point of a replay file: its data are in blocks of JSON on the page, its player is that of the Trace page. What Python does there
// (components/trace, components/widgets) is done here or left out: the head, Simple and Full, the readings to switch between, the theme.
import { hear, tell } from "../player/bus.js";
import { el } from "../player/dom.js";
import { inAddress, setInAddress } from "../player/page_address.js";
import { createPlayer } from "../player/player.js";
import { createBar } from "./bar.js";
import { createFull } from "./full.js";
import { createHead } from "./head.js";
import { firstStep, namesOfReadings, readingNamed } from "./opening.js";

const FOLDED = "These parts are not in this file: Palimpsest itself can unfold them.";

const block = (name) => {
  const found = document.getElementById(name);
  return found && JSON.parse(found.textContent);
};

function startReplay(root) {
  const count = document.querySelectorAll('script[id^="reading-"]').length;
  const readings = Array.from({ length: count });
  const texts = [];
  let shown = null; // what is on the page: its player, and what ends it

  const load = (number) => (readings[number] ??= withText(block(`reading-${number}`)));

  function withText(reading) {
    const whole = (texts[reading.document] ??= block(`text-${reading.document}`));
    reading.frames.text.whole = whole;
    return reading;
  }

  const bar = createBar({ depth: inAddress("depth") === "full" ? "full" : "simple", show, turn: (depth) => (setInAddress("depth", depth === "full" ? depth : ""), shown?.full.turn(depth), shown?.player.showAlgorithm(depth === "full")) });
  const place = el("main", {});
  root.replaceChildren(bar.node, place);

  function show(number, at = null) {
    const reading = load(number);
    if (shown) {
      shown.reading.left = shown.player.at;
      shown.end();
    }
    const box = el("div", { class: "player" });
    const full = createFull(reading, bar.depth());
    const head = createHead(reading, (known) => tell(reading.frames.run, "sent", { what: { known } }));
    place.replaceChildren(head.node, box, full.node);
    document.title = `${reading.question} · Palimpsest replay`;
    const player = createPlayer(box, reading.frames, { at: reading.left ?? at, vis: globalThis.vis, end: { hides: inAddress("end") === "hidden" }, stage: { question: reading.question, ending: reading.stage }, follows: false, algorithm: { shown: bar.depth() === "full" } });
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

  const first = readingNamed(inAddress("reading"), count);
  bar.offer(namesOfReadings(readings.map((_, number) => load(number))));
  show(first, firstStep(inAddress("at")));
}

if (globalThis.document) startReplay(document.getElementById("replay"));
