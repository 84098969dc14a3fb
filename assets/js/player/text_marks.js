// What is marked in the text at a step, and where the text is scrolled to. Pure; drawing the marks is source_text.js.
import { knownPlaces, outOfView } from "./places.js";

// The marks at a step as { start, end, kind }, later kinds over earlier ones. `added` is the span that the step brought into view.
export function marksAt(player, at, added) {
  const step = player.frames.steps[at];
  const { evidence, quotes } = player.frames.marks;
  const ended = at >= player.last;
  return [
    ...spans(outOfView(player.frames, at), "left"),
    ...spans(added?.fresh ? [added.span] : [], "added"),
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

// Where to scroll at a step: the known place or the quoted words if the step's passage contains them, else the start of the passage;
// null for nowhere. `added` is what the step brought into view, of all that it has there.
export function aimAt(marks, step, added) {
  const spots = added ? [added] : (step?.focus ?? []);
  const [start] = spots[0] ?? [];
  if (start === undefined) return step?.mark === "answer" ? (marks.find((mark) => mark.kind === "quote") ?? marks[0])?.start ?? null : null;
  const inside = marks.find((mark) => (mark.kind === "quote" || mark.kind === "known") && mark.end - mark.start < 2000 && spots.some(([from, to]) => from <= mark.start && mark.end <= to));
  return inside ? inside.start : start;
}

// Of several known places each has the number that its line and the pictures give it.
function numbered(places) {
  return places.length < 2 ? [] : places.map(([start, end], n) => ({ start, end, kind: "known", number: n + 1 }));
}

function spans(list, kind) {
  return (list ?? []).map(([start, end]) => ({ start, end, kind }));
}
