// The questions of a recursive reading, by step: asked later, at work, or come back.
import { test } from "node:test";
import assert from "node:assert/strict";
import { NET } from "../../assets/js/pictures/net_marks.js";
import { questionState, SLICES } from "../../assets/js/pictures/slices.js";

test("the table of a picture has no question and no relation of a later step", () => {
  const asked = [{ id: "part 4", step: 7, question: "Is that how it went?" }];
  assert.deepEqual([6, 7].map((at) => SLICES.words({ id: "part 4" }, { asked }, at)), ["", "Is that how it went?"]);
  const again = [...asked, { id: "part 4", step: 9, question: "" }];
  assert.equal(SLICES.words({ id: "part 4" }, { asked: again }, 9), "Is that how it went? · the question of the slice above");
  const cards = { a: { relations: [{ name: "Ganse", said: [["It stood at Ganse.", "wrote:1", 7, 9], ["It was at Ganse, by the sea.", "wrote:8", 9, null]] }, { name: "Brough", said: [["Brough is near.", "wrote:2", 6, null]] }] } };
  assert.deepEqual([5, 6, 8, 9].map((at) => NET.words({ id: "a" }, { cards }, at)), ["", "Brough is near.", "It stood at Ganse. Brough is near.", "It was at Ganse, by the sea. Brough is near."]);
});

test("a question is not told before it is asked, and what it brought not before it ends", () => {
  const asked = { step: 1, began: 3, ended: 5 };
  assert.deepEqual([0, 2, 3, 4, 5, 9].map((at) => questionState(asked, at)), ["later", "asked", "at work", "at work", "back", "back"]);
  assert.equal(questionState({ step: 1, began: 3, ended: null }, 9), "at work");
  assert.equal(questionState({ step: 1, began: null, ended: null }, 9), "asked");
});
