// Places in the text, as offsets: paragraphs and their marked runs, where words stand, and moving along the reading map. Pure: no page.
import { recalledBefore } from "../pictures/memory_layers.js";
import { stateAt } from "./steps.js";

const LINES_ABOVE = 6; // a place in a long paragraph

// An offset in UTF-16 units, of which an emoji takes two, in characters, as Python and the address count. `wordsOf` gives the words of
// a stretch by its number.
export function inCharacters({ cuts, counted }, unit, wordsOf) {
  if (!counted) return unit;
  const number = cuts.findLastIndex((cut) => cut <= unit);
  return counted.starts[number] + [...wordsOf(number).slice(0, unit - cuts[number])].length;
}

// Where a key moves the map's cursor: by 1% or 10% of the text, or to an end. Enter and Space stay; null for any other key.
export function placeByKey(key, from, chars) {
  const share = { ArrowRight: 0.01, ArrowLeft: -0.01, PageDown: 0.1, PageUp: -0.1 }[key];
  if (key === "Home") return 0;
  if (key === "End") return chars - 1;
  if (share) return Math.min(chars - 1, Math.max(0, from + Math.round(share * chars)));
  return key === "Enter" || key === " " ? from : null;
}

// A place in words: how far in, under which heading, and how the model saw it up to a step. `through` names what stands for text.
export function placeInWords({ text, cells, steps }, offset, at, through) {
  const chars = Math.max(1, text.chars);
  const percent = ((100 * offset) / chars).toFixed(chars > 1e6 ? 1 : 0);
  const heading = text.landmarks.findLast(([start]) => start <= offset);
  const cell = cells.find(([start, end]) => start <= offset && offset < end);
  const page = text.pages?.findLast(([start]) => start <= offset)?.[1];
  const now = steps?.[at]?.raw && steps[at].focus.some(([start, end]) => start <= offset && offset < end);
  const meaning = { 1: through, 2: "shown raw" };
  const before = Math.max(0, ...(cell?.[2] ?? []).filter(([step]) => step <= at).map(([, state]) => state)); // what is answered from starts anew
  const state = cell && stateAt(cell[2], at);
  const seen = (state === 2 && !now ? `${meaning[2]} at an earlier step` : meaning[state]) ?? (before ? `${meaning[before]} while building, not since` : "not covered so far");
  return [`${percent}% of the text`, page, heading?.[1], seen].filter(Boolean).join(" · ");
}

// How the map shows a stretch at a step: raw "now" or "before", where nearly all of it is (blanks between parts are shown to nobody), else "".
const NEARLY_ALL = 0.9;
export function rawOnMap({ cells, steps }, [start, end], at) {
  const covers = (spans) => spans.reduce((sum, [from, to]) => sum + Math.max(0, Math.min(to, end) - Math.max(from, start)), 0) >= NEARLY_ALL * (end - start);
  if (!covers((cells ?? []).filter(([, , changes]) => stateAt(changes, at) === 2))) return "";
  return steps[at]?.raw && covers(steps[at].focus) ? "now" : "before";
}

// The places that were in view and have left it again, at a step; of readers whose picture tells.
export function outOfView({ picture }, at) {
  return (picture?.segments ?? []).filter(({ changes }) => stateAt(changes, at) === "out").map(({ span }) => span);
}

// Whether the known place, if it is shown, overlaps any of these spans.
export function holdsKnown(known, spans) {
  return (known?.evidence ?? []).some(([start, end]) => spans.some((span) => span && span[0] < end && start < span[1]));
}

// The known places, [start, end] each: the sentences that are followed, numbered as their lines are, then the evidence beyond those.
export function knownPlaces(known) {
  const followed = (known?.lives ?? []).map(({ fact }) => fact);
  return [...followed, ...(known?.evidence ?? []).filter((span) => !followed.some(([start, end]) => start < span[1] && span[0] < end))];
}

// Where the known place begins that is shown when a person asks for it: one among these spans, otherwise the first; null if none is known.
export function knownPlace(known, spans) {
  const places = known?.evidence ?? [];
  const inside = places.find(([start, end]) => spans.some(([from, to]) => from <= start && end <= to));
  return (inside ?? places[0])?.[0] ?? null;
}

// Says at a step whose prompts held nothing of the text what they held instead.
export function nothingInView({ kind, picture }, at) {
  const recalled = kind === "memory" && picture?.snapshots && recalledBefore(picture, at).had !== null ? " and the one that it had looked back to" : "";
  const seen = { memory: (picture?.called ?? "memory") === "memory" ? "its memory" : `the ${picture.called}`, pages: "the gists" }[kind] ?? "what was written of the text";
  return `Nothing of the text is in view at this step: the model sees only ${seen}${recalled}.`;
}

// Where words stand in the stretches that are loaded, whatever their case and spaces: the place nearest to `here`, or undefined.
export function nearestWords(typed, stretches, here) {
  const wanted = typed.trim().replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/\s+/g, "\\s+");
  if (!wanted) return undefined;
  const found = stretches.filter((stretch) => stretch.words !== undefined)
    .flatMap((stretch) => [...stretch.words.matchAll(new RegExp(wanted, "giu"))].map((match) => ({ start: stretch.start + match.index, words: match[0] })));
  return found.sort((a, b) => Math.abs(a.start - here) - Math.abs(b.start - here))[0];
}

// The paragraphs of a stretch, parted by blank lines, and its blocks as Python found them (`engine/text/structure.py`), in order: where each
// starts, its text, whether it is verse (short lines); of a block also its `kind`, its depth and the places of its words.
export function paragraphsOf({ start, words, blocks = [] }) {
  const edges = [0, ...blocks.flatMap(([, from, to]) => [from, to]), words.length];
  return edges.flatMap((to, n) => {
    if (n === 0) return [];
    const [from, block] = [edges[n - 1], n % 2 === 0 && blocks[n / 2 - 1]];
    if (!block) return proseOf(words.slice(from, to), start + from);
    return [{ start: start + from, text: words.slice(from, to), verse: false, kind: block[0], depth: block[3], words: block[4].map(([first, last]) => [start + first, start + last]) }];
  });
}

function proseOf(words, start) {
  return [...words.matchAll(/[^\n](?:[^\n]|\n(?![^\S\n]*\n))*/g)].filter(({ 0: text }) => text.trim()).map(({ index, 0: text }) => {
    const lines = text.split("\n");
    return { start: start + index, text, verse: lines.length > 1 && lines.slice(0, -1).some((line) => line.length < 45) };
  });
}

// Which page begins at a paragraph, where the one before it begins at `before`; undefined for none.
export function pageBegun(pages, before, start) {
  const page = pages?.findLast(([place]) => place <= start);
  return page && page[0] > before ? page[1] : undefined;
}

// A text that starts at `start`, cut where marks begin and end: each run with the kinds of the marks that cover it.
export function runsOf(text, start, marks) {
  const end = start + text.length;
  const edges = [...new Set([start, end, ...marks.flatMap((mark) => [mark.start, mark.end])])].filter((edge) => start <= edge && edge <= end).sort((a, b) => a - b);
  return edges.slice(1).map((edge, n) => {
    const covering = marks.filter((mark) => mark.start <= edges[n] && edge <= mark.end);
    return { start: edges[n], text: text.slice(edges[n] - start, edge - start), kinds: [...new Set(covering.map((mark) => mark.kind))] };
  });
}

// Where to scroll for a character in a paragraph, both by their height, with lines of one height: to the start of the paragraph if it
// is near, else to a few whole lines before the character.
export function topOf(paragraph, character, line) {
  const lines = Math.floor((character - paragraph) / line + 0.01) - LINES_ABOVE;
  return lines > 0 ? Math.ceil(paragraph + lines * line) : paragraph - 8;
}
