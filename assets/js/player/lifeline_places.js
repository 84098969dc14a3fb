// Where the marks of lifelines stand: the steps from left to right, moved apart where they would overlap. Pure: no page.

export const MARK_ROOM = 20; // pixels of a mark with its room
export const MARK_EDGE = 14; // from the middle of the first and the last mark to the end of the row: half a ring

// The step of a place in the address, "120-200": [start, end] in the text, or null if it is none.
export function placeIn(words, chars) {
  const [, from, to] = /^(\d{1,9})-(\d{1,9})$/.exec(words.trim()) ?? [];
  const [start, end] = [Number(from), Number(to)];
  return from !== undefined && start < end && end <= chars ? [start, end] : null;
}

// The places named in the address ("120-200,300-340"), each once, and the words that name none.
export function placesIn(address, { chars, most, longest }) {
  const named = (address ?? "").split(",").filter((words) => words.trim());
  const found = named.map((words) => ({ words, place: placeIn(words, chars) }));
  const good = (place) => place && place[1] - place[0] <= longest;
  const places = found.filter(({ place }) => good(place)).map(({ place }) => place);
  const once = places.filter(([start, end], n) => places.findIndex((other) => other[0] === start && other[1] === end) === n);
  return { places: once.slice(0, most), bad: found.filter(({ place }) => !good(place)).map(({ words }) => words.trim().slice(0, 40)) };
}

// The marks that may be shown at a step: all of them once the end is shown, else those up to the step.
export function marksUntil(marks, at, ends) {
  return ends ? marks : marks.filter(({ from }) => from <= at);
}

// Of marks that lie in one slot, the one that is drawn: the deciding one, else the one that tells most.
const BY_TELLING = ["none", "raw", "carried", "not opened", "unclear", "altered", "left out", "lost"];
export function tellsMost(marks, deciding) {
  const weight = (mark) => (mark.from === deciding ? 100 : mark.answering ? 50 : BY_TELLING.indexOf(mark.shape));
  return marks.reduce((best, mark) => (weight(mark) > weight(best) ? mark : best));
}

// One axis for all lines. `steps`: the steps (from 0) at which a line has a mark; `count`: how many steps there are. The steps lie
// evenly; where marks would overlap they are moved apart, and if there are too many for that, neighbours share a slot. Returns
// `x(step)` in pixels and `slots`, a list of [first step, last step, x].
export function axisOf(steps, count, width) {
  const inner = Math.max(MARK_ROOM, width - 2 * MARK_EDGE);
  const share = (step) => (count > 1 ? step / (count - 1) : 0.5);
  const [first, last] = [MARK_EDGE, MARK_EDGE + inner];
  const sorted = [...new Set(steps)].sort((a, b) => a - b);
  const groups = slotted(sorted, Math.floor(inner / MARK_ROOM) + 1, share);
  const slots = groups.map((group) => ({ from: group[0], to: group.at(-1), x: first + share(group[0]) * inner }));
  slots.forEach((slot, n) => (slot.x = Math.max(slot.x, first + n * MARK_ROOM, n ? slots[n - 1].x + MARK_ROOM : first)));
  slots.toReversed().forEach((slot, n, all) => (slot.x = Math.min(slot.x, n ? all[n - 1].x - MARK_ROOM : last)));
  return { slots, x: (step) => placed([{ from: 0, to: 0, x: first }, ...slots, { from: count - 1, to: count - 1, x: last }], step) };
}

// The place of any step: that of its slot, else in proportion between the slots around it.
function placed(slots, step) {
  const own = slots.slice(1, -1).find(({ from, to }) => from <= step && step <= to);
  const right = own ?? slots.find(({ from }) => step <= from) ?? slots.at(-1);
  const left = slots.findLast(({ to }) => to < step) ?? right;
  if (own || left === right || right.from === left.to) return right.x;
  return left.x + ((right.x - left.x) * (step - left.to)) / (right.from - left.to);
}

// The steps in at most `room` groups of neighbours: each alone if they fit, else by where they lie.
function slotted(steps, room, share) {
  if (steps.length <= room) return steps.map((step) => [step]);
  const groups = new Map();
  for (const step of steps) {
    const place = Math.min(room - 1, Math.floor(share(step) * room));
    groups.set(place, [...(groups.get(place) ?? []), step]);
  }
  return [...groups.values()];
}

// The marks of one line in the slots of the axis: { x, mark, from, to }: what is drawn, and which steps it stands for.
export function inSlots(axis, marks, deciding) {
  return axis.slots.flatMap(({ from, to, x }) => {
    const own = marks.filter((mark) => mark.from >= from && mark.from <= to);
    return own.length ? [{ x, mark: tellsMost(own, deciding), from: own[0].from, to: own.at(-1).to, count: own.length }] : [];
  });
}
