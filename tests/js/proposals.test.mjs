// What a model proposes: what of it is still open, what is accepted at a step, and how the accepted label is marked.
import assert from "node:assert/strict";
import test from "node:test";
import { labelProposed, proposedAt, stillProposed } from "../../assets/js/annotate/suggested.js";

const code = (step, name) => ({ kind: "step", target: { step }, value: { code: name, severity: 2, note: "It strayed." }, by: "model: a/b" });
const span = (start, name) => ({ kind: "span", target: { end: start + 5, number: 3, on: "reply", start }, value: { code: name, note: "" }, by: "model: a/b" });

test("what the annotator has given, however they did, is no longer open", () => {
  const proposed = [code(2, "N1"), code(3, "N1"), span(10, "N1")];
  const own = [{ kind: "step", target: { step: 2 }, value: { code: "N1", severity: 3, note: "Mine." } }, { kind: "span", target: { on: "reply", number: 3, start: 10, end: 15 }, value: { code: "N1", note: "" } }];
  assert.deepEqual(stillProposed(proposed, own), [proposed[1]]);
});

test("a step's codes are accepted with the words that are marked with them", () => {
  const proposed = [code(2, "N1"), code(2, "B2"), code(4, "R1"), span(10, "B2"), span(30, "R1")];
  assert.deepEqual(proposedAt(proposed, 2), [proposed[0], proposed[1], proposed[3]]);
  assert.deepEqual(proposedAt(proposed, 3), []);
});

test("an accepted label says that a model proposed it, in the annotator's own words, which are none", () => {
  const { id, ...label } = labelProposed("seed", code(2, "N1"));
  assert.deepEqual(label, { kind: "step", target: { step: 2 }, value: { code: "N1", severity: 2, note: "", suggested: "model" } });
  assert.match(id, /^[0-9a-f]{32}$/);
  assert.notEqual(id, labelProposed("seed", code(3, "N1")).id);
  assert.equal(labelProposed("seed", span(10, "N1")).value.suggested, "model");
});
