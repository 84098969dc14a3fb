// The questions of a recursive reading, by step: asked later, at work, or come back.
import { test } from "node:test";
import assert from "node:assert/strict";
import { questionState } from "../../assets/js/pictures/slices.js";

test("a question is not told before it is asked, and what it brought not before it ends", () => {
  const asked = { step: 1, began: 3, ended: 5 };
  assert.deepEqual([0, 2, 3, 4, 5, 9].map((at) => questionState(asked, at)), ["later", "asked", "at work", "at work", "back", "back"]);
  assert.equal(questionState({ step: 1, began: 3, ended: null }, 9), "at work");
  assert.equal(questionState({ step: 1, began: null, ended: null }, 9), "asked");
});
