// The lifelines: for each fact that is followed, a row with a mark at every step that did something with it, and what became of it.
// Followed are the evidence of the known answer, while that is shown, and places that a person marks in the text; the address names
// these (`fact`). Python computes what the marks are (components/player/lifeline.py). Not here: the button beside marked words.
import { hear, tell } from "./bus.js";
import { calm, el } from "./dom.js";
import { axisOf, inSlots, marksUntil, placesIn } from "./lifeline_places.js";
import { inAddress, setInAddress } from "./page_address.js";

export const MOST_PLACES = 5; // marked places at once
export const LONGEST_PLACE = 1000; // characters of one
const MOST_ASKED = 5;
const NOTHING_FOLLOWED = "Mark words in the text to follow them through the reading, or type some of them:";
const FATE_LATER = "What became of it is shown with the end of the reading.";
const GOES_ON = "So far; the reading goes on.";
const MARK_MEANINGS = {
  raw: "raw before the model", carried: "a text says it", altered: "with another value", unclear: "cannot be told",
  lost: "a text no longer says it", "not opened": "offered, not opened", "left out": "taken out of view", answering: "in the answering call",
};

// `offered`: only in a player that is alone on its page a person marks places; elsewhere the known answer's evidence alone has lines.
// `characters` counts a marked place in characters, in which places are followed. `changed` draws the whole player again.
export function createLifeline(player, { offered, characters }, changed) {
  const rows = el("div", { class: "life-lines" });
  const legend = el("p", { class: "legend life-legend" });
  const told = el("p", { class: "life-told", hidden: "" });
  const quiet = el("span", { class: "life-empty", text: NOTHING_FOLLOWED });
  const note = el("span", { class: "life-note", role: "status" });
  const field = el("input", { type: "search", class: "life-find", "aria-label": "Words of the text to follow", placeholder: "words of the text to follow" });
  const sown = el("button", { type: "button", class: "tool life-planted", hidden: "", text: "Follow the planted sentence", on: { click: () => keep([...places, planted]) } });
  const form = el("form", { class: "life-ask" }, quiet, sown, field, note);
  const node = el("section", { class: "card lifelines", "aria-label": "What became of facts of the text", hidden: "" }, rows, el("div", { class: "life-foot" }, told, legend, form));
  let places = []; // what is followed, [start, end] in characters each
  let compare = ""; // the address of the page that compares readings of this question
  let lives = []; // what Python sent of them
  let planted = null; // where a sentence was planted in the text
  let asked = 0;
  let typed = false;
  let live = false; // whether the reading was going on when it was drawn last
  let outdated = false; // what Python sent was of a reading that has ended meanwhile
  let drawn = ""; // what the rows were made of
  let shown = []; // the lines that are drawn

  player.facts = () => all(); // what the pictures mark
  const same = (one, other) => one[0] === other[0] && one[1] === other[1];
  const missing = () => places.some((place) => !lives.some((life) => same(life.place, place)));

  // All that is followed, the known answer's evidence first.
  function all() {
    const marked = places.flatMap((place) => lives.find((life) => same(life.place, place)) ?? []);
    return [...(player.known?.lives ?? []).map((life) => ({ ...life, known: true })), ...marked];
  }

  function follow(start, end) {
    const place = characters(start, end);
    const length = place[1] - place[0];
    if (length > LONGEST_PLACE) return say(`These are ${length.toLocaleString("en")} characters; mark a sentence or two, at most ${LONGEST_PLACE.toLocaleString("en")}.`);
    if (places.some((other) => same(other, place))) return say("These words are followed already.");
    if (places.length >= MOST_PLACES) return say(`${MOST_PLACES} places are followed; close one first.`);
    keep([...places, place]);
    say("");
  }

  function keep(wanted) {
    places = wanted;
    setInAddress("fact", places.map((place) => place.join("-")).join(","));
    ask();
    changed();
  }

  function ask() {
    asked = 0;
    tell(player.frames.run, "follow", { facts: places });
  }

  function say(words) {
    note.textContent = words;
  }

  const ears = offered && hear(player.frames.run, {
    sent: ({ what }) => {
      if ("compare" in what && what.compare !== compare) {
        compare = what.compare;
        changed();
      }
      if ("planted" in what && String(what.planted) !== String(planted)) {
        planted = what.planted;
        changed();
      }
      if (!what.hears) return;
      const before = JSON.stringify(lives);
      if (what.lives) {
        lives = what.lives;
        outdated = false;
      }
      if ((missing() || outdated) && asked < MOST_ASKED) {
        asked++; // whoever passes it on may have come later than the request
        tell(player.frames.run, "follow", { facts: places });
      }
      if (JSON.stringify(lives) !== before) changed();
    },
    selected: ({ none, start, end }) => {
      if (!typed) return;
      typed = false;
      if (none) say(player.frames.text.whole === null ? "These words are not in the part of the text that is loaded." : "These words are not in the text.");
      else follow(start, end);
    },
  });

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (!field.value.trim()) return;
    typed = true;
    tell(player.frames.run, "select", { words: field.value });
    if (!note.textContent) field.value = "";
  });
  field.addEventListener("input", () => say(""));

  // The steps that decided a fate, one after the other.
  function decide() {
    const steps = [...new Set(shown.flatMap(({ fate }) => (fate && player.ends() ? [fate.step] : [])))];
    if (!steps.length) return false;
    player.go(steps[(steps.indexOf(player.at) + 1) % steps.length]);
  }
  player.keys.on({ fate: () => decide() });

  function draw(at) {
    node.hidden = !(offered || player.known?.lives?.length) || player.frames.steps.length < 1;
    form.hidden = !offered;
    if (live && !player.frames.live && places.length) {
      outdated = true;
      ask();
    }
    live = Boolean(player.frames.live);
    if (node.hidden) return;
    shown = all();
    player.followed = shown.filter(({ known }) => !known).map(({ fact }) => fact);
    quiet.textContent = missing() ? "Following these words …" : NOTHING_FOLLOWED;
    quiet.hidden = !missing() && Boolean(shown.length);
    sown.hidden = !planted || places.length >= MOST_PLACES || places.some((place) => same(place, planted));
    settle(!shown.length);
    const ends = player.ends();
    const key = JSON.stringify([compare, shown.map(({ fact, known, marks, fate }) => [fact, known, marks.length, fate?.step]), live && player.frames.steps.length, ends, ends || at, node.clientWidth]);
    if (key !== drawn) build(at, ends);
    drawn = key;
    for (const now of rows.querySelectorAll(".life-now")) now.style.left = `${axis.x(at).toFixed(1)}px`;
    for (const button of rows.querySelectorAll("button[data-from]")) button.classList.toggle("here", Number(button.dataset.from) <= at && at <= Number(button.dataset.to));
  }
  let axis = axisOf([], 1, 0);

  // The lines stand above picture and text; the offer alone stands below them, so that it takes no room of the first screen.
  function settle(empty) {
    if (node.classList.contains("none-yet") === empty) return;
    const focused = node.getRootNode().activeElement === field;
    node.classList.toggle("none-yet", empty);
    if (empty) player.root.querySelector(":scope > .legend").after(node);
    else player.root.querySelector(":scope > .columns").before(node);
    if (focused) field.focus({ preventScroll: true });
  }

  function build(at, ends) {
    const focused = [...rows.querySelectorAll("button")].indexOf(rows.getRootNode().activeElement);
    rows.replaceChildren(...shown.map(rowOf));
    const width = rows.querySelector(".life-marks")?.clientWidth ?? 0;
    const visible = shown.map(({ marks }) => marksUntil(marks, at, ends));
    axis = axisOf(visible.flatMap((marks) => marks.map(({ from }) => from)), player.frames.steps.length, width);
    [...rows.children].forEach((row, n) => fill(row, shown[n], { marks: visible[n], ends, width }));
    explain(visible.flat(), ends);
    if (focused >= 0) [...rows.querySelectorAll("button")].at(Math.min(focused, rows.querySelectorAll("button").length - 1))?.focus({ preventScroll: true });
  }

  function rowOf(life) {
    const close = el("button", { type: "button", class: "life-close", "aria-label": `Follow no more: ${life.words}`, title: "Follow these words no more", text: "✕", on: { click: () => leave(life) } });
    const words = el("button", { type: "button", class: "life-words", dir: "auto", title: `${life.words}\n\nShow it in the text`, on: { click: () => player.show(life.fact[0]) } }, life.known ? el("span", { class: "life-known", text: "◆ " }) : "", `“${life.words}”`);
    const number = shown.length > 1 ? el("b", { class: "life-number", text: String(shown.indexOf(life) + 1) }) : null; // as in the picture
    return el("div", { class: "lifeline", role: "group", "aria-label": `The life of: ${life.words}` }, el("div", { class: "life-head" }, number, words, life.known ? null : close), el("div", { class: "life-marks" }), el("p", { class: "life-fate" }));
  }

  function leave({ place }) {
    keep(places.filter((other) => !same(other, place)));
    field.focus();
  }

  function fill(row, life, { marks, ends, width }) {
    const fate = ends ? life.fate : null;
    const deciding = fate?.step ?? -1;
    const slots = inSlots(axis, marks, deciding);
    const [, box, words] = row.children;
    const from = slots[0]?.x ?? 0;
    const until = fate ? axis.x(deciding) : (slots.at(-1)?.x ?? 0);
    const bar = (kind, left, right) => (right > left ? [Object.assign(el("i", { class: `life-bar ${kind}` }), { at: [left, right] })] : []);
    const bars = [...bar("track", 0, width), ...(slots.length ? bar("alive", from, until) : []), ...(fate && fate.end !== "alive" ? bar("after", slots.length ? until : 0, width) : [])];
    for (const each of bars) each.style.cssText = `left:${each.at[0].toFixed(1)}px;width:${(each.at[1] - each.at[0]).toFixed(1)}px`;
    const buttons = slots.map((slot) => markOf(slot, deciding));
    buttons[0]?.setAttribute("tabindex", "0");
    box.replaceChildren(...bars, el("i", { class: "life-now" }), ...buttons);
    box.addEventListener("keydown", (event) => rove(event, buttons));
    words.replaceChildren(...(fate ? [el("b", { class: fate.end, text: `${fate.kind}.` }), ` ${fate.sentence} `, ...(offered && fate.mends ? [toMend(life), " "] : []), toCompare(life)] : [live ? GOES_ON : FATE_LATER]));
  }

  // Python draws what would mend it below the player, at the step that decided: a panel for each fact.
  function toMend({ fate: { step }, place, words }) {
    const seek = (tries) => {
      const found = player.at === step && document.querySelector(`.st-key-mend-${place.join("-")}`);
      if (!found) return void (tries && setTimeout(() => seek(tries - 1), 150));
      found.querySelector("details:not([open]) > summary")?.click();
      found.scrollIntoView({ block: "center", behavior: calm() ? "instant" : "smooth" });
    };
    const button = el("button", { type: "button", class: "life-mend", "aria-label": `What would mend it: ${words}`, text: "What would mend it?" });
    button.addEventListener("click", () => {
      player.go(step);
      seek(60);
    });
    return button;
  }

  // The same place in the other readings of this question.
  function toCompare({ place, words }) {
    if (!compare) return "";
    return el("a", { class: "life-compare", href: `${compare}&fact=${place.join("-")}`, "aria-label": `In the other readings: ${words}`, text: "In the other readings" });
  }

  function markOf({ x, mark, from, to, count }, deciding) {
    const when = from === to && mark.from === mark.to ? `step ${from + 1}` : `steps ${from + 1} to ${Math.max(to, mark.to) + 1}, ${count > 1 ? `at step ${mark.from + 1}` : "all"}`;
    const said = [when, mark.say, mark.from === deciding ? "its fate was decided here" : ""].filter(Boolean).join(" · ");
    const shape = el("i", { class: `life-mark ${mark.shape.replace(" ", "-")}${mark.raw ? " and-raw" : ""}${mark.answering ? " answering" : ""}` });
    const button = el("button", { type: "button", class: `life-at${mark.from === deciding ? " decided" : ""}`, tabindex: -1, title: said, "aria-label": said, "data-from": from, "data-to": Math.max(to, mark.to), style: `left:${x.toFixed(1)}px` }, shape);
    button.addEventListener("click", () => player.go(mark.from));
    for (const [kind, words] of [["pointerenter", said], ["focus", said], ["pointerleave", ""], ["blur", ""]]) button.addEventListener(kind, () => tellOf(words));
    return button;
  }

  // What a mark says stands where the legend was.
  function tellOf(words) {
    told.textContent = words;
    told.hidden = !words;
    legend.hidden = Boolean(words);
  }

  // Left and right arrow go from mark to mark.
  function rove(event, buttons) {
    const now = buttons.indexOf(event.target.closest?.("button"));
    const to = buttons[{ ArrowRight: now + 1, ArrowLeft: now - 1 }[event.key]];
    if (now < 0 || !["ArrowRight", "ArrowLeft"].includes(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    if (!to) return;
    buttons[now].setAttribute("tabindex", "-1");
    to.setAttribute("tabindex", "0");
    to.focus();
  }

  // The legend of the marks that there are.
  function explain(marks, ends) {
    const kinds = new Set(marks.flatMap(({ shape, raw, answering }) => [shape, ...(raw ? ["raw"] : []), ...(answering ? ["answering"] : [])]));
    const keys = Object.keys(MARK_MEANINGS).filter((kind) => kinds.has(kind));
    const decided = ends && shown.some(({ fate }) => fate) ? [el("span", {}, el("i", { class: "ring-key" }), `its fate was decided here (${offered ? "d" : "l"})`)] : [];
    legend.replaceChildren(...keys.map((kind) => el("span", {}, el("i", { class: `life-mark ${kind.replace(" ", "-")}` }), MARK_MEANINGS[kind])), ...decided);
    tellOf("");
  }

  function begin() {
    if (!offered) return;
    const { places: named, bad } = placesIn(inAddress("fact"), { chars: player.frames.text.counted?.all ?? player.frames.text.chars, most: MOST_PLACES, longest: LONGEST_PLACE });
    if (bad.length) say(`The address names what is no place in this text (${bad.map((words) => `“${words}”`).join(", ")}); it is ignored.`);
    if (!named.length) return;
    places = named;
    ask();
    changed();
  }

  return { node, draw, begin, follow, destroy: () => ears && ears() };
}
