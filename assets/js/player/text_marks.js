// What is marked in the text at a step, and where the text is scrolled to. Pure; drawing the marks is source_text.js.
import { knownPlaces, outOfView } from "./places.js";

// The marks at a step as { start, end, kind }, later kinds over earlier ones. `added` is what the step brought into view, or found for a later call.
export function marksAt(player, at, added) {
  const step = player.frames.steps[at];
  const { evidence, quotes } = player.frames.marks;
  const ended = at >= player.last;
  return [
    ...spans(outOfView(player.frames, at), "left"),
    ...spans(added?.fresh ? added.spans : [], "added"),
    ...(step?.cuts ?? []).filter(Boolean).map((start) => ({ start, end: start + 1, kind: "cut" })),
    ...spans(step?.unseen ? [] : step?.focus, step?.raw ? "now" : "stood-for"),
    ...spans(ended ? evidence : [], "evidence"),
    ...spans(ended ? quotes : [], "quote"),
    ...spans(player.known?.distractors, "distractor"),
    ...spans(player.known?.evidence, "known"),
    ...numbered(knownPlaces(player.known)),
    ...spans(player.labelled, "labelled"),
    ...spans(player.selected, "selected"),
    ...spans(player.followed, "followed"),
  ];
}

// Where to scroll at a step: the known place or the quoted words if the step's passage contains them, else the start of the passage; at one
// that only cut the text the first line of a cut; null for nowhere. `added` is what the step brought, of all that it has in view, `rests`
// what an answer that is given there rests on; where a page is cut, its end is what happened.
export function aimAt(marks, step, { added, pauses, rests = [] } = {}) {
  const taken = pauses?.find(([, chosen]) => chosen);
  if (taken) return Math.max(0, taken[0] - 3); // in the paragraph before it
  const spots = (rests.length && !added?.fresh ? rests : added?.spans) ?? step?.focus ?? [];
  const [start] = spots[0] ?? [];
  if (start === undefined && step?.cuts?.length > 1) return step.cuts[1];
  if (start === undefined) return step?.mark === "answer" ? (marks.find((mark) => mark.kind === "quote") ?? marks[0])?.start ?? null : null;
  const inside = marks.find((mark) => (mark.kind === "quote" || mark.kind === "known") && mark.end - mark.start < 2000 && spots.some(([from, to]) => from <= mark.start && mark.end <= to));
  return inside ? inside.start : start;
}

// Where the page that is cut at a step may end: the places that were offered, as [place, whether it was taken], or the one place where no
// question was asked; undefined at any other step.
export function pausesAt({ steps, picture }, at) {
  const cut = picture?.pages?.find(({ changes }) => changes.some(([step, state]) => step === at && state === "read"));
  return steps[at]?.pauses ?? (cut && cut.id === picture.here[at] ? [[cut.end, true]] : undefined);
}

// The place to pause between the starts of a paragraph and of the next one, in words, and whether it was taken; undefined if there is none.
export function pauseAfter(pauses, start, next) {
  const number = pauses?.findIndex(([place]) => start < place && place <= next) ?? -1;
  if (number < 0) return undefined;
  const [, taken] = pauses[number];
  return { taken, words: taken ? (pauses.length > 1 ? `■ place ${number + 1} of ${pauses.length}: the page ends here` : "■ the page ends here") : `○ place ${number + 1}, offered` };
}

// Where only a part of these paragraphs is what the model saw at a step, or what the step brought: these words, as marks. A paragraph seen whole has none.
// Spans with nothing but space between them are one.
export function partlySeen(paragraphs, marks) {
  return ["now", "stood-for", "added"].flatMap((kind) => {
    const seen = marks.filter((mark) => mark.kind === kind).sort((a, b) => a.start - b.start);
    return paragraphs.flatMap(({ start, text }) => {
      const [from, until] = [start + text.length - text.trimStart().length, start + text.trimEnd().length];
      const inside = [];
      for (const mark of seen.filter((mark) => mark.start < until && from < mark.end)) {
        const [begin, end, last] = [Math.max(from, mark.start), Math.min(until, mark.end), inside.at(-1)];
        if (last && !text.slice(last.end - start, begin - start).trim()) last.end = Math.max(last.end, end);
        else inside.push({ start: begin, end, kind });
      }
      return inside[0]?.start === from && inside[0].end === until ? [] : inside;
    });
  });
}

// Of several known places each has the number that its line and the pictures give it.
function numbered(places) {
  return places.length < 2 ? [] : places.map(([start, end], n) => ({ start, end, kind: "known", number: n + 1 }));
}

function spans(list, kind) {
  return (list ?? []).map(([start, end]) => ({ start, end, kind }));
}
