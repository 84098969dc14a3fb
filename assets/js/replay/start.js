// A replay: readings with their heads, their players and Full. Its player is that of the Trace page. What Python does there
// (components/trace, components/widgets) is done here or left out: the head, Simple and Full, the readings to switch between, the theme.
import { html, render } from "../../vendor/preact.js";
import { hear, tell } from "../player/bus.js";
import { el } from "../player/dom.js";
import { inAddress, setInAddress } from "../player/page_address.js";
import { createPlayer } from "../player/player.js";
import { holding } from "../player/parts.js";
import { Bar } from "./bar.js";
import { Full } from "./full.js";
import { Head } from "./head.js";
import { endAtFirst, firstStep, namesOfReadings, opensAt, readingNamed } from "./opening.js";
import { FOLDED, unfold } from "./unfold.js";

// Shows the readings, each with its whole text in `frames.text.whole`, in `root`. `name` is what the bar says the page is. `tells`:
// whether answers, and what is known of them, are shown from the start. Returns what moves the player: `go(step)`, `show(place)`.
export function startReplay(root, readings, { name, tells = false }) {
  const names = namesOfReadings(readings);
  let depth = inAddress("depth") === "full" ? "full" : "simple";
  let note = "";
  let shown = null; // what is on the page: the number of a reading, its player, where that is, and what ends it

  function draw() {
    const { number, box, player } = shown;
    const reading = readings[number];
    const reveal = (known) => tell(reading.frames.run, "sent", { what: { known } });
    render(html`
      <${Bar} title=${name} names=${names} number=${number} depth=${depth} note=${note} show=${show} turn=${turn} />
      <main>
        <${Head} key=${number} ...${reading} told=${tells} reveal=${reveal} />
        <div key=${`player ${number}`} ref=${holding(box)} />
        ${depth === "full" && player && html`<${Full} key=${number} reading=${reading} at=${player.at} ends=${player.ends()} />`}
      </main>`, root);
  }

  function turn(wanted) {
    depth = wanted;
    setInAddress("depth", depth === "full" ? depth : "");
    shown.player.showAlgorithm(depth === "full");
    draw();
  }

  function show(number, at = opensAt(readings[number].frames)) {
    const reading = readings[number];
    if (shown) {
      readings[shown.number].left = shown.player.at;
      shown.end();
    }
    document.title = `${reading.question} · ${name}`;
    shown = { number, box: el("div", { class: "player" }) };
    draw(); // the player has its size from the page
    const ears = hear(reading.frames.run, { at: draw, settled: draw, want: ({ what }) => what.open && (unfold(reading) || noteFolded()) });
    const player = createPlayer(shown.box, reading.frames, { at: reading.left ?? at, vis: globalThis.vis, end: endAtFirst(inAddress("end") ?? (tells ? "shown" : null)), stage: { question: reading.question, ending: reading.stage }, follows: false, algorithm: { shown: depth === "full" } });
    Object.assign(shown, { player, end: () => (ears(), player.destroy()) });
    draw();
    if (tells && reading.known) tell(reading.frames.run, "sent", { what: { known: reading.known } });
    setInAddress("reading", number ? String(number + 1) : "");
  }

  function noteFolded() {
    note = FOLDED;
    draw();
  }

  const number = readingNamed(inAddress("reading"), readings.length);
  show(number, firstStep(inAddress("at"), opensAt(readings[number].frames)));
  return { go: (at) => shown.player.go(at), show: (place) => shown.player.show(place) };
}
