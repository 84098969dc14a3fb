// The life of every sentence: a row is there where its memory has it, and counts are those of a step.
import { test } from "node:test";
import assert from "node:assert/strict";
import { lifeRows, stays, wordsIn } from "../../assets/js/pictures/life_rows.js";

// Four memories: sentence 0 stays, 1 is lost at memory 1 and back at 3, 2 is merged into 0 at memory 2.
const PICTURE = {
  hows: ["verbatim", "new", "reworded", "restored"],
  texts: ["a", "b", "c", "a and c"],
  lanes: [
    { v: [[0, 0, 1], [2, 3, 2]], gone: [] },
    { v: [[0, 1, 1], [3, 1, 3]], gone: [[1, -1]] },
    { v: [[1, 2, 1]], gone: [[2, 0]] },
  ],
  memories: [[[0, 0], [1, 0]], [[0, 0], [2, 0]], [[0, 1]], [[0, 1], [1, 1]]],
  snapshots: [{ callback: null }, { callback: { recalled: null } }, { callback: { recalled: 0 } }, { callback: null }],
};

test("a sentence stays exactly where the memories have it", () => {
  PICTURE.lanes.forEach((_, lane) => {
    const there = stays(PICTURE, lane).flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (__, n) => from + n));
    assert.deepEqual(there, PICTURE.memories.flatMap((rows, at) => (rows.some(([each]) => each === lane) ? [at] : [])));
  });
});

test("rows are in the order in which sentences came, with what happened to them", () => {
  const rows = lifeRows(PICTURE);
  assert.deepEqual(rows.map(({ lane }) => lane), [0, 1, 2]);
  assert.deepEqual(rows[1].marks, [{ at: 0, kind: "came" }, { at: 3, kind: "back" }, { at: 1, kind: "lost" }]);
  assert.deepEqual(rows[2].marks.at(-1), { at: 2, kind: "changed" }); // it is part of another now: not lost
});

test("of very many, those that lived longest are kept", () => {
  assert.deepEqual(lifeRows(PICTURE, 2).map(({ lane }) => lane), [0, 1]);
});

test("a row has the words of its step", () => {
  assert.deepEqual([0, 1, 2, 3].map((number) => wordsIn(PICTURE, 0, number)), ["a", "a", "a and c", "a and c"]);
});
