// A replay file: which reading and step it opens at, what its readings are called, and where Full takes words from.
import { test } from "node:test";
import assert from "node:assert/strict";
import { firstStep, namesOfReadings, readingNamed } from "../../assets/js/replay/opening.js";
import { wordsNamed } from "../../assets/js/replay/full.js";

test("the address names a reading and a step that are there, or the first reading and the last step are shown", () => {
  assert.deepEqual(["2", "3", "0", "x", null].map((words) => readingNamed(words, 2)), [1, 0, 0, 0, 0]);
  assert.deepEqual(["1", "12", "0", "-1", "1e9", null].map(firstStep), [0, 11, null, null, null, null]);
});

test("one reading alone has no name to choose; several have their numbers, and their questions where these differ", () => {
  const [walk, look] = [{ name: "MemWalker", question: "Who?" }, { name: "ReadAgent", question: "Who?", changed: "call 4" }];
  assert.deepEqual(namesOfReadings([walk]), []);
  assert.deepEqual(namesOfReadings([walk, look]), ["1. MemWalker", "2. ReadAgent, changed"]);
  assert.deepEqual(namesOfReadings([walk, { ...look, question: "Why?" }]), ["1. MemWalker: Who?", "2. ReadAgent, changed: Why?"]);
});

test("words of a prompt are named by number or by their place in the text", () => {
  assert.equal(wordsNamed(1, ["none", "these"], "the whole text"), "these");
  assert.equal(wordsNamed([4, 9], [], "the whole text"), "whole");
});
