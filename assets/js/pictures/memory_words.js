// The words of a memory at one step: every sentence with its change, and overwritten ones as far back as wanted.
import { html } from "../../vendor/preact.js";
import { olderFate, isLost, layers, standing, stepOf, wordsOf } from "./memory_layers.js";

const NOTES = { restored: "back again", moved: "moved here", uncertain: "? perhaps another sentence in new words", merged: "of several sentences", split: "of a longer sentence" };

// First older layers are folded, then all is smaller, what stayed or is struck is on a line each, and last every sentence.
const SMALLER_FIT = 2;
const TIGHTEST_FIT = 4;

// A memory as paragraphs. `depth`: how many steps back older layers show; `most`: the most older sentences to show; `more`, if not 0, is
// the memory from which back they are left out. `written`: whether words are marked as new; `gone` and `layers` count what is
// struck and what is older; `struck`: whether any of that is struck.
export function paragraphs(picture, at, { depth, most, selected }) {
  const { number, fresh } = standing(picture, at);
  const rows = picture.memories[number];
  const lost = fresh ? picture.over[number].filter(([lane]) => isLost(picture, lane, number)) : [];
  const older = layers(picture, number, { from: fresh ? number - 1 : number, depth, most });
  const under = Map.groupBy(older.found, ({ after }) => (after < 0 ? rows[0]?.[0] ?? -1 : after));
  const blocks = [{ name: "", parts: [] }];
  const add = (kind, lane, about, ...words) => {
    const first = !blocks.some(({ parts }) => parts.length);
    const { name, note, title } = about;
    blocks.at(-1).parts.push(html`<span key=${`${kind}${lane} ${about.at ?? ""}`} class=${`sentence ${name}`} role="button" tabindex=${first ? 0 : -1} data-lane=${lane} aria-pressed=${String(lane === selected)} title=${title}>${words}${note}</span>`, " ");
  };
  const follow = (lane) => {
    for (const [gone, version, after] of lost) if (after === lane) add("gone", gone, { name: "gone", title: "overwritten at this step; select it for its history" }, html`<del>${wordsOf(picture, gone, version)}</del>`);
    for (const ghost of under.get(lane) ?? []) {
      const age = number - ghost.at <= 1 ? 1 : number - ghost.at <= 4 ? 2 : 3;
      const note = html`<small> (step ${stepOf(picture, picture.lanes[ghost.lane].v[ghost.version][0])}, ${olderFate(picture, ghost)} at step ${stepOf(picture, ghost.at)})</small>`;
      const words = wordsOf(picture, ghost.lane, ghost.version);
      add("layer", ghost.lane, { name: `layer age-${age}`, note, at: ghost.at, title: "an older layer; select it for its history" }, struck.call(picture, ghost) ? html`<s>${words}</s>` : words);
    }
  };
  follow(-1);
  for (const [lane, version, code, breaks] of rows) {
    if (breaks) blocks.push({ name: breaks > 1 ? "" : "memory-line", parts: [] });
    const how = fresh ? picture.hows[code] : "verbatim";
    const note = NOTES[how] && html` <small class="how">${NOTES[how]}</small>`;
    add("", lane, { name: `how-${how}`, note, title: `${picture.meanings[how]}; select it for its history` }, sentenceWords(picture, lane, version, how));
    follow(lane);
  }
  return { blocks: blocks.filter(({ parts }) => parts.length).map(({ name, parts }, n) => html`<p key=${n} class=${name} dir="auto">${parts}</p>`), more: older.more, written: fresh && rows.some(writtenHere, picture), gone: lost.length, layers: older.found.length, struck: older.found.some(struck, picture) };
}

// Whether an older sentence is struck: only where it was lost, for the words of others stand elsewhere.
function struck(ghost) {
  return olderFate(this, ghost) === "overwritten";
}

// Whether words of a sentence are marked as new.
function writtenHere([lane, version, code]) {
  const changes = this.lanes[lane].v[version][3];
  return ["new", "uncertain", "restored"].includes(this.hows[code]) || (this.hows[code] !== "verbatim" && Boolean(changes) && changes.some((change) => change < 0));
}

function sentenceWords(picture, lane, version, how) {
  const [, text, , changes] = picture.lanes[lane].v[version];
  const words = picture.texts[text];
  if (how === "new" || how === "uncertain") return html`<ins>${words}</ins>`;
  if (how !== "verbatim" && changes) return difference(words, changes);
  return how === "restored" ? html`<ins>${words}</ins>` : words;
}

// A difference as Python sends it: a positive number is a length kept, a negative one a length added, a string was removed.
export function difference(words, changes) {
  let place = 0;
  return changes.map((change) => {
    if (typeof change === "string") return html`<del>${change}</del>`;
    const part = words.slice(place, place + Math.abs(change));
    place += Math.abs(change);
    return change < 0 ? html`<ins>${part}</ins>` : part;
  });
}

// A button that goes to the step at which a memory was written.
export function AtStep({ picture, number, go }) {
  return html`<button type="button" class="tool" onClick=${() => go(picture.snapshots[number].step)}>step ${stepOf(picture, number)}</button>`;
}

// Draws the memory closer and closer (`data-fit`, player.css), and brings into view what changed at this step; all of the memory where
// nothing did. Older layers are folded from the first fit on, unless the memory has room beside them or they are `unfolded`. Gives the
// fit, and how much still has no room below.
export function bringChanges(box, { loosest, unfolded }) {
  if (!box?.clientHeight) return [0, 0];
  box.dataset.fit = loosest;
  const room = box.clientHeight;
  const memory = [...box.querySelectorAll(".sentence:not(.layer)")];
  const changed = memory.filter((sentence) => sentence.querySelector("ins, del, .how"));
  const wanted = changed.length ? changed : memory;
  const reach = (all) => (all.length ? all.at(-1).getBoundingClientRect().bottom - all[0].getBoundingClientRect().top : 0);
  const most = unfolded ? 0 : changed.length ? TIGHTEST_FIT : SMALLER_FIT;
  let fit = loosest;
  while (fit < most && reach(fit ? wanted : memory) > room) box.dataset.fit = ++fit;
  if (!wanted.length) return [fit, 0];
  const { top, bottom } = box.getBoundingClientRect();
  const [first, last] = [wanted[0].getBoundingClientRect().top, wanted.at(-1).getBoundingClientRect().bottom];
  if (first < top || last > bottom) box.scrollTop += first - top - Math.max(0, Math.min(8, room - reach(wanted)));
  return [fit, wanted.filter((each) => (each.getClientRects()[0]?.bottom ?? 0) > bottom + 2).length]; // of the others the first line is in view
}
