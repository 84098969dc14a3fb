// Over the text, at a step whose prompts held summaries: those summaries beside each other, whole, as the model saw them, with the
// words that met the question and those that the stated reason names. The text itself is one button away.
import { el, writtenBy } from "./dom.js";
import { wordRuns } from "./word_marks.js";

const SHARED_WITH = { met: "the question", cited: "the stated reason" };

// `turned` is called when a person turned from the summaries to the text or back.
export function createSeen(player, turned) {
  const about = el("p", { class: "about" });
  const key = el("p", { class: "words-key", hidden: "" });
  const cards = el("div", { class: "cards" });
  const toText = el("button", { type: "button", class: "tool", text: "Show the text", on: { click: () => prefer(true) } });
  const toSummaries = el("button", { type: "button", class: "tool", text: "Show the summaries", hidden: "", on: { click: () => prefer(false) } });
  const node = el("div", { class: "seen", hidden: "", tabindex: 0, role: "region", "aria-label": "What the model sees" }, el("div", { class: "seen-head" }, about, toText), cards, key);
  let preferred = false; // whether a person prefers the text itself
  let asideAt = null; // the step at which a place in the text was asked for
  let drawn = null;
  let staged = false; // when they were drawn

  const seen = () => player.frames.picture?.compared?.[player.at] ?? null;
  const shows = () => Boolean(seen()) && !preferred && asideAt !== player.at;

  function prefer(text) {
    preferred = text;
    asideAt = null;
    draw(player.at);
    turned();
    (text ? toSummaries : toText).focus();
  }

  // Make way for the text at this step.
  function stepAside() {
    if (!shows()) return;
    asideAt = player.at;
    arrange();
  }

  function arrange() {
    node.hidden = !shows();
    toSummaries.hidden = !seen() || shows();
  }

  function draw(at) {
    if (asideAt !== at) asideAt = null;
    arrange();
    const now = seen();
    if (!shows() || (drawn === now && staged === player.staged)) return;
    drawn = now;
    staged = player.staged;
    const ids = now.options.map(({ id }) => id);
    const summaries = `${now.count} ${now.count === 1 ? "summary" : "summaries"}`;
    about.textContent = `What the model sees: ${summaries}, ${writtenBy(player.frames, ...ids.map((id) => `wrote:${id}`))}`;
    const more = now.count > ids.length ? el("p", { class: "none", text: `${now.count - ids.length} more` }) : "";
    cards.replaceChildren(...now.options.map(card), now.back ? back(now.back) : "", more);
    const kinds = Object.entries(SHARED_WITH).filter(([kind]) => now.options.some((option) => option[kind].length));
    key.hidden = !kinds.length;
    key.replaceChildren("Marked by rule: words shared with ", ...kinds.flatMap(([kind, text], n) => [n ? " or with " : "", el("mark", { class: kind, text })]), ".");
    node.scrollTop = 0;
    const chosen = cards.querySelector(".picked");
    if (chosen && chosen.offsetTop + chosen.offsetHeight > node.clientHeight) node.scrollTop = chosen.offsetTop - about.parentElement.offsetHeight - 4;
  }

  function card({ id, picked, met, cited }) {
    const { names, texts } = player.frames.picture;
    const words = wordRuns(texts[id] ?? "", { met, cited }).map(({ text, kind }) => (kind ? el("mark", { class: kind, text }) : document.createTextNode(text)));
    return el("article", { class: picked ? "summary picked" : "summary" }, el("h3", {}, names[id] ?? "a part", picked ? el("span", { text: " · opened" }) : ""), el("p", {}, ...words));
  }

  function back(state) {
    return el("p", { class: state === "chosen" ? "summary back picked" : "summary back", text: state === "chosen" ? "↩ it went back up" : "↩ or go back up" });
  }

  return { node, toSummaries, draw, stepAside, shows };
}
