// Where the marks of lifelines stand, which of them are drawn, and which places an address names.
import { test } from "node:test";
import assert from "node:assert/strict";
import { MARK_EDGE, MARK_ROOM, axisOf, inSlots, marksUntil, placesIn } from "../../assets/js/player/lifeline_places.js";

const mark = (from, shape = "carried", more = {}) => ({ from, to: from, shape, answering: false, ...more });
const apart = (slots) => slots.slice(1).map(({ x }, n) => x - slots[n].x);

test("marks lie on the steps, and those that would overlap are moved apart within the row", () => {
  const { slots, x } = axisOf([0, 3, 4, 5, 9], 10, 200);
  assert.deepEqual(slots.map(({ from }) => from), [0, 3, 4, 5, 9]);
  assert.ok(apart(slots).every((pixels) => pixels >= MARK_ROOM - 0.001));
  assert.deepEqual([slots[0].x, slots.at(-1).x], [MARK_EDGE, 200 - MARK_EDGE]);
  assert.ok(x(5) < x(6) && x(6) < x(8) && x(8) < x(9));
});

test("late neighbours are moved back, so that the last stays in the row", () => {
  const { slots } = axisOf([96, 97, 98, 99], 100, 200);
  assert.deepEqual(slots.map(({ x }) => x), [126, 146, 166, 186]);
});

test("of two thousand steps neighbours share a slot, and each slot has room", () => {
  const steps = [...Array(2000).keys()];
  const { slots, x } = axisOf(steps, 2000, 600);
  assert.equal(slots.length, 29);
  assert.ok(apart(slots).every((pixels) => pixels >= MARK_ROOM - 0.001));
  assert.ok(slots[0].x >= 0 && slots.at(-1).x <= 600);
  assert.deepEqual([slots[0].from, slots.at(-1).to], [0, 1999]);
  assert.equal(x(slots[3].to), slots[3].x);
});

test("a row without marks still has a place for every step", () => {
  const { slots, x } = axisOf([], 5, 100);
  assert.deepEqual([slots.length, x(0), x(2), x(4)], [0, 14, 50, 86]);
  assert.equal(Number.isFinite(axisOf([], 1, 0).x(0)), true);
});

test("in a shared slot the deciding step is drawn, else the answering call, else what was lost", () => {
  const marks = [mark(0, "raw"), mark(1, "lost"), mark(2), mark(3, "carried", { answering: true })];
  const axis = { slots: [{ from: 0, to: 9, x: 10 }] };
  const drawn = (deciding, all = marks) => inSlots(axis, all, deciding)[0];
  assert.equal(drawn(2).mark.from, 2);
  assert.equal(drawn(-1).mark.from, 3);
  assert.equal(drawn(-1, marks.slice(0, 3)).mark.from, 1);
  assert.deepEqual([drawn(2).from, drawn(2).to, drawn(2).count], [0, 3, 4]);
});

test("before the end is shown, nothing later than the step is", () => {
  const marks = [mark(1), mark(4), mark(7)];
  assert.deepEqual(marksUntil(marks, 4, false).map(({ from }) => from), [1, 4]);
  assert.equal(marksUntil(marks, 4, true).length, 3);
});

test("the address names places of the text, each once, and what is none is told", () => {
  const limits = { chars: 100, most: 2, longest: 50 };
  assert.deepEqual(placesIn("12-40", limits), { places: [[12, 40]], bad: [] });
  assert.deepEqual(placesIn("12-40,12-40,0-9,60-70", limits).places, [[12, 40], [0, 9]]);
  assert.deepEqual(placesIn("9-3, x ,5-5,90-101,0-80,-1-4", limits), { places: [], bad: ["9-3", "x", "5-5", "90-101", "0-80", "-1-4"] });
  assert.deepEqual(placesIn(null, limits), { places: [], bad: [] });
});
