// The threads between the calls of a watched program.
import { test } from "node:test";
import assert from "node:assert/strict";
import { threadsOf } from "../../assets/js/pictures/calls.js";

const row = (step, from, guessed = []) => ({ step, from, guessed });

test("a thread goes from each reply to the call whose prompt had its words, and none to a call that is not shown yet", () => {
  const rows = [row(0, []), row(1, [0]), row(2, [0, 1], [0])];
  assert.deepEqual(threadsOf(rows, 1, false).map(({ from, to }) => [from, to]), [[0, 1]]);
  assert.deepEqual(threadsOf(rows, 1, true).map(({ from, to, likely, now }) => [from, to, likely, now]), [[0, 1, false, true], [0, 2, true, false], [1, 2, false, true]]);
});

test("of very many threads only those of the call that is shown are drawn", () => {
  const rows = Array.from({ length: 40 }, (_, step) => row(step, Array.from({ length: step }, (__, n) => n)));
  assert.equal(threadsOf(rows, 39, true).length, 39);
});
