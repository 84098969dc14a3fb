// The picture of pages: the text as rows of pages, each as wide as its word count and filled in proportion to its gist; opened pages
// are solid. Below, what the model sees at this step: the gists in order, with opened pages in place.
import { el, writtenBy } from "../player/dom.js";
import { holdsKnown } from "../player/places.js";
import { nearestVisit, stateAt } from "../player/steps.js";
import { termed } from "../player/terms.js";
import { factBadges, factKeyLine } from "./fact_badges.js";
import { factKey, factMarks, factsOf, factWords } from "./fact_marks.js";
import { gistBesidePage } from "./gist_beside_page.js";
import { knownKey } from "./known_mark.js";

const KNOWN_PAGE = "the known answer stands here";
const A_ROW = 20; // pages of average length in a row

export function createPages(player) {
  const caption = el("h2", {});
  const hint = el("span", { class: "hint" });
  const strip = el("div", { class: "strip", role: "group", "aria-label": "The pages" });
  const scroll = el("div", { class: "memory", tabindex: 0, role: "region", "aria-label": "What the model sees" });
  const legend = el("p", { class: "legend" });
  const knownLine = knownKey(KNOWN_PAGE);
  const factLine = factKeyLine();
  const claims = el("ul", { class: "claims", "aria-label": "What the answer rests on" });
  const waiting = el("p", { class: "none", text: "The pages will appear here as they are read." });
  const title = el("h3", { text: "What the model sees" });
  const node = el("section", { class: "card pane pages-pane", "aria-label": "The reader's picture" },
    el("div", { class: "head" }, caption, hint), waiting, strip, legend, title, scroll, claims);
  let boxes = new Map();
  let entries = new Map();
  let painted = new Map();
  let shownAt = null;

  const picture = () => player.frames.picture;

  function load() {
    const current = picture();
    waiting.hidden = Boolean(current);
    strip.hidden = title.hidden = scroll.hidden = legend.hidden = !current;
    if (!current) return;
    painted = new Map();
    shownAt = null;
    const all = current.pages.reduce((sum, page) => sum + page.words, 0);
    const row = all / Math.max(1, Math.ceil(current.pages.length / A_ROW)); // words; the same for every row, so that widths are comparable
    boxes = new Map(current.pages.map((page) => [page.id, box(page, (97 * page.words) / Math.max(1, row))]));
    strip.style.setProperty("--digits", String(current.pages.length).length);
    strip.className = current.pages.length > 1.4 * A_ROW ? "strip many" : "strip";
    strip.replaceChildren(...boxes.values());
    entries = new Map(current.pages.map((page) => [page.id, entry(page)]));
    scroll.replaceChildren(...entries.values());
    const first = new Map(); // the first step with each state
    for (const [step, state] of current.pages.flatMap(({ changes }) => changes)) first.set(state, Math.min(step, first.get(state) ?? step));
    const keys = Object.entries(current.meanings).filter(([state]) => first.has(state));
    legend.replaceChildren(...keys.map(([state, words]) => el("span", { "data-from": first.get(state) }, el("i", { class: `key page-${state}` }), termed(player.frames, words))), knownLine, factLine);
  }

  // A page in the row; a click goes to the step that visited it.
  function box(page, share) {
    const gist = el("i", { class: "fill" });
    gist.style.height = `${Math.min(100, Math.round((100 * page.gist_words) / Math.max(1, page.words)))}%`;
    const press = el("button", { type: "button", class: "page", on: { click: () => select(page) } }, gist, el("span", { class: "number", text: page.number }), el("span", { class: "mark" }), el("span", { class: "known-mark", hidden: "", text: "◇" }), el("span", { class: "of-facts" }));
    press.style.flex = `0 0 calc(${share.toFixed(2)}% - 4px)`;
    return press;
  }

  function entry(page) {
    return el("div", { class: "entry", "data-page": page.id, on: { click: () => player.show(page.start) } }, el("h4", { text: page.name }), el("div", { class: "words" }));
  }

  function select(page) {
    const visit = nearestVisit(page.visits, player.at);
    if (visit !== undefined) player.go(visit);
    player.show(page.start);
    entries.get(page.id).scrollIntoView({ block: "nearest" });
  }

  function draw(at) {
    const current = picture();
    if (!current) return;
    const here = current.here[at];
    const beside = current.beside[at];
    const facts = factsOf(player);
    let marked = false;
    head(at);
    for (const page of current.pages) {
      const state = stateAt(page.changes, at) ?? "hidden";
      const known = holdsKnown(player.known, [[page.start, page.end]]);
      const marks = state === "hidden" ? [] : factMarks(facts, page.refs, at, player.ends());
      marked ||= marks.length > 0;
      const key = `${state}${beside?.id === page.id ? " beside" : ""}${page.id === here ? " here" : ""} ${factKey(marks)}${known ? " known" : ""}`;
      if (painted.get(page.id) === key) continue;
      painted.set(page.id, key);
      paint(page, state, { here: page.id === here, known, marks });
      if (beside?.id === page.id) put(beside, entries.get(page.id), marks);
    }
    for (const key of legend.children) key.style.visibility = player.ends() || Number(key.dataset.from) <= at ? "" : "hidden";
    factLine.hidden = !marked;
    knownLine.hidden = ![...painted.values()].some((key) => !key.startsWith("hidden") && key.endsWith(" known"));
    const bringing = here ?? current.pages.find((page) => stateAt(page.changes, at) === "opened")?.id;
    if (bringing !== undefined && bringing !== shownAt) {
      bring(entries.get(bringing));
      bringBox(boxes.get(bringing));
    }
    shownAt = bringing;
    const ended = at >= player.last && current.claims.length > 0;
    claims.hidden = !ended;
    if (ended) claims.replaceChildren(...current.claims.map(claim));
  }

  // Nothing is said about gists before there is one.
  function head(at) {
    const current = picture();
    const gists = current.pages.some((page) => !["hidden", "read"].includes(stateAt(page.changes, at) ?? "hidden"));
    caption.replaceChildren(termed(player.frames, gists ? current.caption : "The pages"));
    hint.replaceChildren(termed(player.frames, gists ? current.hint : "width: words"));
    title.textContent = at < current.built ? "The gists so far" : "What the model sees";
    title.hidden = scroll.hidden = !gists;
    legend.style.visibility = gists ? "" : "hidden";
  }

  // An opened page beside its gist, in place of its words alone.
  function put(beside, item, marks) {
    const title = item.querySelector("h4");
    title.textContent += ", beside its gist";
    title.append(factBadges(marks));
    item.querySelector(".words").replaceChildren(gistBesidePage(beside, writtenBy(player.frames, picture().pages.find(({ id }) => id === beside.id).ref)));
  }

  function paint(page, state, { here, known, marks }) {
    const press = boxes.get(page.id);
    const words = picture().meanings[state] ?? "";
    press.className = `page page-${state}${here ? " here" : ""}`;
    press.title = [page.name, `${page.words} words${state === "read" ? "" : `, gist ${page.gist_words}`}`, page.ended].join(" · ");
    press.querySelector(".mark").textContent = { asked: "?", opened: "■", dropped: "✕", back: "↩" }[state] ?? "";
    press.setAttribute("aria-label", [page.name, words, here && "here, now", known && KNOWN_PAGE, factWords(marks)].filter(Boolean).join(", "));
    press.querySelector(".known-mark").hidden = !known;
    press.querySelector(".of-facts").replaceChildren(factBadges(marks));
    const item = entries.get(page.id);
    item.hidden = state === "hidden" || state === "read";
    item.className = `entry entry-${state === "opened" ? "raw" : "gist"}${here ? " here" : ""}`;
    item.querySelector("h4").textContent = [page.name, state === "opened" ? "the page itself" : `its gist, ${writtenBy(player.frames, page.ref)}`].join(" · ");
    item.querySelector("h4").append(factBadges(marks));
    item.querySelector(".words").replaceChildren(el("p", { text: state === "opened" ? raw(page) : page.gist }));
  }

  // The page's own words, if the text is loaded; for a very long text the text pane has them.
  function raw(page) {
    const { whole } = player.frames.text;
    return whole === null ? "The page itself; its words are in the text." : whole.slice(page.start, page.end).trim();
  }

  function bring(item) {
    if (item) scroll.scrollTop = item.offsetTop - 8;
  }

  // In a strip that scrolls, the row of the current page.
  function bringBox(press) {
    if (!press) return;
    const above = press.offsetTop - strip.offsetTop - 8;
    if (above < strip.scrollTop || above + press.offsetHeight + 16 > strip.scrollTop + strip.clientHeight) strip.scrollTop = above;
  }

  function claim({ text, rests, page }) {
    const marks = { raw: "■", gist: "▤", none: "?" };
    const words = { raw: `rests on ${page}, read again`, gist: `rests on the gist of ${page} alone`, none: "its words occur in neither an opened page nor a gist" };
    return el("li", { class: `claim-${rests}` }, el("span", { class: "mark", text: marks[rests] }), ` ${text} `, el("small", { text: words[rests] }));
  }

  return { node, load, draw, fit: () => (shownAt = null), destroy: () => {} };
}
