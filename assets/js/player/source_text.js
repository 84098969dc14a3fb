// The document in a reading column with marks for the step: where the reader is, the evidence, what is known. Only stretches near
// the view are on the page; those of a very long text are requested when needed.
import { html, render } from "../../vendor/preact.js";
import { tell } from "./bus.js";
import { calm, character, el, placeOf } from "./dom.js";
import { inCharacters, knownPlace, nearestWords, nothingInView, pageBegun, paragraphsOf, topOf } from "./places.js";
import { Wrote, createSeen, writtenAt } from "./seen_summaries.js";
import { phaseAt } from "./steps.js";
import { boxed, paragraphNode, shallowest } from "./text_blocks.js";
import { aimAt, marksAt, partlySeen, pauseAfter, pausesAt } from "./text_marks.js";

const LINE = 65; // characters and pixels of a line, to estimate the height of a stretch before it is drawn
const LINE_HEIGHT = 28;
const GROUP = 40;
const AT_ONCE = 12;
const LOOKS_AGAIN = 3; // frames
const WRITTEN_HERE = ["graph", "net", "slices", "axis", "calls"]; // the pictures of pages and memories have their own place for what was written; pages have one for a reason where a page is opened
const HAND = 700; // milliseconds after a person's action in which a scroll counts as theirs

export function createText(player) {
  const range = el("span", { class: "range" });
  const note = el("p", { class: "note", hidden: "" });
  const none = el("p", { class: "no-text", hidden: "" });
  const wrote = el("div", { class: "wrote", tabindex: 0, role: "region", "aria-label": "What the step wrote" });
  const column = el("div", { class: "column", tabindex: 0, role: "group", "aria-label": "The text" });
  const summaries = createSeen(player, () => uncover());
  let stretches = [];
  let topHeading = Infinity; // how deep the headings that came so far are at least
  let marks = [];
  let pauses; // where the page that is cut at this step may end
  let signature = "";
  let wantedSoon = 0;
  let byHand = 0;
  let telling = 0;
  let shown = null; // the place that was last scrolled to, until something else scrolls
  const inView = new Set(); // the numbers of the stretches in or near the view
  const seen = new IntersectionObserver((entries) => entries.forEach(({ target, isIntersecting }) => (isIntersecting ? enter(target.number) : leave(target.number))), { root: column, rootMargin: "900px 0px" });

  // While the column is out of the window, its stretches are neither drawn nor measured: once it is in the window, scroll again.
  const appears = new IntersectionObserver((entries) => entries.at(-1).isIntersecting && shown !== null && show(shown));
  appears.observe(column);

  column.addEventListener("click", (event) => {
    const paragraph = event.target.closest?.("p[data-start]");
    const selected = (column.getRootNode().getSelection?.() ?? document.getSelection())?.toString();
    if (paragraph && !selected) player.goToPlace(Number(paragraph.dataset.start), { keep: true });
  });

  // A scroll by hand is reported, a scroll of ours is not: a text locked to this one follows it.
  for (const kind of ["wheel", "touchmove", "pointerdown", "keydown"]) column.addEventListener(kind, () => (byHand = performance.now()), { passive: true });
  column.addEventListener("scroll", () => {
    if (performance.now() - byHand > HAND) return;
    byHand = performance.now();
    shown = null;
    tellPlace();
  }, { passive: true });

  // After a long scroll the paragraphs in view may not be drawn yet: try again.
  function tellPlace(tries = 60) {
    cancelAnimationFrame(telling);
    telling = requestAnimationFrame(() => {
      const place = top();
      if (place) tell(player.frames.run, "scrolled", { place });
      else if (tries) tellPlace(tries - 1);
    });
  }

  // The paragraph at the top of the view, and how far above the view it starts.
  function top() {
    const edge = column.getBoundingClientRect().top;
    const drawn = [...inView].sort((a, b) => a - b).flatMap((number) => [...stretches[number].box.querySelectorAll("p[data-start]")]);
    const first = drawn.find((paragraph) => paragraph.getBoundingClientRect().bottom > edge);
    if (first?.getBoundingClientRect().top > edge + column.clientHeight) return undefined;
    return first && { start: Number(first.dataset.start), above: edge - first.getBoundingClientRect().top };
  }

  // Scroll to the place that another view of this document shows at its top.
  function follow({ start, above }) {
    const stretch = holding(start);
    if (!stretch) return;
    byHand = 0;
    shown = null;
    enter(stretch.box.number);
    if (stretch.words === undefined) pending = { offset: start };
    const all = [...stretch.box.querySelectorAll("p[data-start]")];
    const there = all.findLast((node) => Number(node.dataset.start) <= start) ?? stretch.box;
    column.scrollTo({ top: column.scrollTop + there.getBoundingClientRect().top - column.getBoundingClientRect().top + above, behavior: "instant" });
  }

  function enter(number) {
    inView.add(number);
    stretches[number]?.box.parentElement?.classList.add("near");
    fill(number);
  }

  // A stretch out of view is removed from the page; its box keeps its height.
  function leave(number) {
    inView.delete(number);
    const stretch = stretches[number];
    const group = stretch?.box.parentElement;
    if (group && ![...inView].some((other) => stretches[other]?.box.parentElement === group)) group.classList.remove("near");
    if (!stretch?.paragraphs) return;
    stretch.box.style.minHeight = `${stretch.box.offsetHeight}px`;
    stretch.box.replaceChildren();
    stretch.paragraphs = null;
  }

  function load() {
    seen.disconnect();
    inView.clear();
    const { cuts, chars, whole, blocks } = player.frames.text;
    topHeading = Object.values(blocks ?? {}).reduce((least, some) => shallowest(some, least), Infinity);
    stretches = cuts.map((start, n) => {
      const end = cuts[n + 1] ?? chars;
      const box = el("div", { class: "stretch" });
      box.number = n;
      box.style.minHeight = `${Math.ceil((end - start) / LINE) * LINE_HEIGHT}px`;
      return { start, end, box, words: whole?.slice(start, end), blocks: blocks?.[n], paragraphs: null, cutBy: "" };
    });
    column.replaceChildren(...grouped(stretches.map(({ box }) => box)));
    stretches.forEach(({ box }) => seen.observe(box));
    signature = "";
  }

  function fill(number) {
    const stretch = stretches[number];
    if (!stretch) return;
    if (stretch.words === undefined) return want();
    const inside = marks.filter((mark) => mark.start < stretch.end && stretch.start < mark.end);
    stretch.parted ??= paragraphsOf(stretch);
    const partly = partlySeen(stretch.parted, inside);
    const onWords = [...inside.filter(marksWords), ...partly];
    const cutBy = JSON.stringify(onWords);
    if (!stretch.paragraphs || stretch.cutBy !== cutBy) {
      stretch.cutBy = cutBy;
      stretch.paragraphs = stretch.parted.map((each) => ({ ...each, node: paragraphNode(each, onWords, topHeading) }));
      stretch.box.style.minHeight = "";
      stretch.box.replaceChildren(...boxed(stretch.paragraphs, (n) => pageBegun(player.frames.text.pages, stretch.paragraphs[n - 1]?.start ?? stretch.start - 1, stretch.paragraphs[n].start)));
    }
    stretch.paragraphs.forEach((each, n) => setLook(each, inside, { partly, dim: dim() }, pauseAfter(pauses, each.start, stretch.paragraphs[n + 1]?.start ?? stretch.end)));
  }
  const dim = () => marks.some((mark) => mark.kind === "now");

  // Request the stretches in view that are not loaded, once the view rests; and again if some did not arrive.
  function want() {
    clearTimeout(wantedSoon);
    wantedSoon = setTimeout(() => {
      const missing = [...inView].filter((number) => stretches[number]?.words === undefined);
      if (missing.length) player.want({ stretches: missing.slice(-AT_ONCE) });
    }, 150);
  }

  // Take in the stretches that Python sent, by number.
  function sent(more) {
    for (const [number, stretch] of Object.entries(more)) {
      Object.assign(stretches[number] ?? {}, stretch);
      topHeading = shallowest(stretch.blocks ?? [], topHeading);
    }
    for (const number of Object.keys(more).map(Number)) if (inView.has(number)) fill(number);
    if ([...inView].some((number) => stretches[number]?.words === undefined)) want();
    if (pending && holding(pending.offset)?.words !== undefined) show(pending.offset);
  }
  const holding = (offset) => stretches.findLast((stretch) => stretch.start <= offset);
  let pending = null;

  // The summaries lie over the text, which cannot be reached while they do.
  function uncover() {
    column.inert = summaries.shows();
  }

  function draw(at) {
    const step = player.frames.steps[at];
    const added = player.frames.picture?.aims?.[at];
    marks = marksAt(player, at, added);
    pauses = pausesAt(player.frames, at);
    const where = step?.range ? [step.where || phaseAt(player.frames.phases, at)?.name, step.range].filter(Boolean).join(" · ") : "";
    const { evidence = [], nearest = [] } = player.frames.marks;
    const rests = step?.mark === "answer" ? [...evidence, ...nearest] : [];
    range.textContent = (rests.length && !added?.fresh ? "" : added?.words) || where;
    note.hidden = true;
    const { kind, picture } = player.frames;
    const told = WRITTEN_HERE.includes(kind) ? step : kind === "pages" && !picture?.beside?.[at] ? { decision: step?.decision } : undefined;
    const here = told && writtenAt(told, kind);
    render(here ? html`<${Wrote} ...${here} by=${step.by} frames=${player.frames} />` : null, wrote);
    summaries.draw(at); // after what takes room above them
    uncover();
    none.hidden = !step?.only_written;
    none.textContent = nothingInView(player.frames, at);
    column.classList.toggle("unseen", Boolean(step?.only_written));
    const key = JSON.stringify([marks, added?.spans, step?.focus, pauses]);
    if (key === signature) return;
    signature = key;
    for (const number of inView) fill(number);
    const target = aimAt(marks, step, { added, pauses, rests });
    if (target !== null) show(target);
  }

  // Scroll to a place; without one, to the place that was last scrolled to. Stretches above it that were never drawn may turn out to be
  // higher than was reckoned: after a jump it is looked at again in the next frames.
  function show(offset = shown, again = LOOKS_AGAIN) {
    if (offset === null) return;
    pending = { offset };
    shown = offset;
    byHand = 0;
    const stretch = holding(offset);
    if (!stretch) return;
    enter(stretch.box.number);
    const all = [...stretch.box.querySelectorAll("[data-start]")];
    const target = all.findLast((node) => Number(node.dataset.start) <= offset) ?? stretch.box;
    const height = (spot) => spot.getBoundingClientRect().top - column.getBoundingClientRect().top + column.scrollTop;
    const top = topOf(height(target.closest("p") ?? target), height(character(target, offset)), parseFloat(getComputedStyle(column).lineHeight));
    const close = Math.abs(top - column.scrollTop) < 2 * column.clientHeight;
    const covered = note.hidden ? 0 : note.offsetHeight; // by what is announced
    const glides = close && !calm() && !player.fast && again === LOOKS_AGAIN;
    column.scrollTo({ top: top - covered, behavior: glides ? "smooth" : "instant" });
    if (stretch.words !== undefined) pending = null;
    if (!glides && again) requestAnimationFrame(() => shown === offset && !byHand && show(offset, again - 1));
  }

  // Show a place on request, also at a step at which the model saw summaries.
  function showText(...place) {
    if (place.length) summaries.stepAside();
    uncover();
    show(...place);
  }

  // Show the known place, which a person has just asked for, also where the step is elsewhere in the text.
  const showKnown = () => showText(knownPlace(player.known, player.frames.steps[player.at]?.focus ?? []));

  // Report words selected by hand, or found on request; of several matches the one nearest to the current step's passage.
  column.addEventListener("pointerdown", () => window.addEventListener("pointerup", () => setTimeout(selected), { once: true }));
  column.addEventListener("keyup", (event) => (event.shiftKey || event.key === "Shift") && selected());
  function selected() {
    const selection = column.getRootNode().getSelection?.() ?? document.getSelection();
    if (!selection?.rangeCount || selection.isCollapsed) return;
    const range = selection.getRangeAt(0);
    const [start, end] = [placeOf(range.startContainer, range.startOffset), placeOf(range.endContainer, range.endOffset)];
    if (start !== null && end !== null && end > start) tell(player.frames.run, "selected", { on: "text", start, end, words: range.toString() });
  }

  function select(words) {
    const here = player.frames.steps[player.at]?.focus[0]?.[0] ?? 0;
    const best = nearestWords(words, stretches, here);
    if (best) showText(best.start);
    tell(player.frames.run, "selected", best ? { on: "text", start: best.start, end: best.start + best.words.length, words: best.words } : { none: true });
  }

  // A place in units of this text as a place in characters; its stretches are loaded.
  const characters = (...place) => place.map((unit) => inCharacters(player.frames.text, unit, (number) => stretches[number].words));

  function announce(words) {
    note.textContent = words;
    note.hidden = false;
  }

  const node = el("section", { class: "card pane text-pane", "aria-label": "The text" }, el("div", { class: "head" }, el("h2", { text: "The text" }), summaries.toSummaries, range), none, note, wrote, el("div", { class: "text-body" }, column, summaries.node));
  return { node, column, load, draw, sent, want, show: showText, showKnown, announce, follow, select, characters };
}

// Group the boxes, so that the browser lays out only groups near the view: thousands of boxes would slow down every step.
function grouped(boxes) {
  const groups = [];
  for (let n = 0; n < boxes.length; n += GROUP) {
    const group = el("div", { class: "group" }, ...boxes.slice(n, n + GROUP));
    group.style.containIntrinsicHeight = `auto ${boxes.slice(n, n + GROUP).reduce((sum, box) => sum + parseInt(box.style.minHeight), 0)}px`;
    groups.push(group);
  }
  return groups;
}

// How a paragraph looks at a step; with `dim`, one outside the current place is set back. Of one that was seen in part (`partly`) only
// the words are marked. No look has another size, so that a step changes classes and does not lay out the text again; but for a place to
// pause after it, while pages are cut.
function setLook({ node, start, text, verse }, marks, { partly, dim }, pause) {
  const here = (mark) => mark.start < start + text.length && start < mark.end;
  const kinds = new Set(marks.filter(here).map((mark) => mark.kind));
  for (const { kind } of partly.filter(here)) kinds.delete(kind);
  const names = [...["now", "stood-for", "added", "evidence", "left"].filter((kind) => kinds.has(kind)), verse && "verse", dim && !kinds.has("now") && "faint"];
  const name = names.filter(Boolean).join(" ");
  if (node.className !== name) node.className = name;
  if ((node.dataset.pause ?? "") !== (pause?.words ?? "")) Object.assign(node.dataset, { pause: pause?.words ?? "", taken: pause?.taken });
}

// Whether a mark is drawn on words, so that it cuts its paragraph into runs.
function marksWords({ kind }) {
  return ["quote", "known", "distractor", "labelled", "selected", "followed", "cut"].includes(kind);
}
