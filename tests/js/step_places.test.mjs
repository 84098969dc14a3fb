// Where steps stand on the track, and the group of building that opens.
import { test } from "node:test";
import assert from "node:assert/strict";
import { FEWEST, mayFold, nearestStep, placesOnTrack } from "../../assets/js/player/step_places.js";

const TRACK = { width: 600, pad: 12, open: false };

test("a long building is one short stretch, and the other steps have the rest of the track", () => {
  const { folded, x, gap } = placesOnTrack(39, 34, TRACK);
  assert.equal(folded, 34);
  assert.ok(x(33) - x(0) <= 40);
  assert.ok(x(34) - x(33) >= 18);
  assert.ok(Math.abs(x(38) - (600 - 12)) < 0.01);
  assert.ok(gap > 100);
  for (let n = 1; n < 39; n++) assert.ok(x(n) > x(n - 1));
});

test("opened, every step has the same room", () => {
  const { folded, x, gap } = placesOnTrack(39, 34, { ...TRACK, open: true });
  assert.equal(folded, 0);
  for (let n = 1; n < 39; n++) assert.ok(Math.abs(x(n) - x(n - 1) - gap) < 1e-9);
  assert.equal(x(0), 12);
});

test("a short building, and one that nothing follows, is no group", () => {
  assert.ok(!mayFold(20, FEWEST - 1));
  assert.ok(!mayFold(30, 30));
  assert.ok(mayFold(FEWEST + 1, FEWEST));
  assert.equal(placesOnTrack(1, 0, TRACK).x(0), 300);
  const { x } = placesOnTrack(FEWEST + 1, FEWEST, TRACK);
  assert.equal(x(FEWEST), 588);
});

test("every step can be pressed, also in a closed group", () => {
  for (const open of [true, false]) {
    const { x } = placesOnTrack(39, 34, { ...TRACK, open });
    for (let n = 0; n < 39; n++) assert.equal(nearestStep(39, x, x(n)), n);
  }
});
