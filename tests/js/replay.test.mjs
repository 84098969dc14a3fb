// A replay file: which reading and step it opens at, what its readings are called, and where Full takes words from.
import { test } from "node:test";
import assert from "node:assert/strict";
import { deflateSync } from "node:zlib";
import { endAtFirst, firstStep, namesOfReadings, opensAt, readingNamed } from "../../assets/js/replay/opening.js";
import { readBlock } from "../../assets/js/replay/blocks.js";
import { wordsNamed } from "../../assets/js/replay/full.js";

test("the address names a reading and a step that are there, or the first reading and its first step are shown", () => {
  assert.deepEqual(["2", "3", "0", "x", null].map((words) => readingNamed(words, 2)), [1, 0, 0, 0, 0]);
  assert.deepEqual(["1", "12", "0", "-1", "1e9", null].map((words) => firstStep(words, 4)), [0, 11, 4, 4, 4, 4]);
});

test("a reading opens at its first decision, and at its first step where that is to be predicted", () => {
  assert.deepEqual([{ opens_at: 4 }, {}, { opens_at: 4, stops: [{ at: 2, note: "look" }] }, { opens_at: 4, stops: [{ at: 4, options: [] }] }].map(opensAt), [4, 0, 4, 0]);
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

test("the end is hidden at first, unless the address says otherwise", () => {
  assert.deepEqual([null, "hidden", "shown"].map((words) => endAtFirst(words).hides), [true, true, false]);
});

test("a block of data is read as it is, or unpacked; one that is not whole is refused", async () => {
  const packed = deflateSync(Buffer.from(JSON.stringify({ say: "“Who?” \ud83d\udd26" }))).toString("base64");
  assert.deepEqual(await readBlock({ type: "application/json", textContent: '{"say":"Who?"}' }), { say: "Who?" });
  assert.deepEqual(await readBlock({ type: "application/octet-stream", textContent: packed }), { say: "“Who?” \ud83d\udd26" });
  await assert.rejects(readBlock({ type: "application/octet-stream", textContent: packed.slice(0, 20) }));
});
