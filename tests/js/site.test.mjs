// A published site: what its comparison and its lessons make of an address, of data and of what is chosen.
import assert from "node:assert/strict";
import { test } from "node:test";
import { named, offered, opensPair, pairNamed, partedOf, sharedEnd, tableOf } from "../../assets/js/site/beside.js";
import { inAddressOf, keptInWords, progressIn, resultInWords, waitsAt } from "../../assets/js/site/lesson_progress.js";

const READINGS = [
  { id: "a", way: "MemAgent · m", changed: "", reader: "memagent", question: 0, at: 2, chip: ["", "right", "good"] },
  { id: "b", way: "Whole · m", changed: "", reader: "whole", question: 0, at: 0, chip: ["", "wrong", "lost"] },
  { id: "c", way: "Whole · m", changed: "call 1", reader: "whole", question: 1, at: 1, chip: ["", "wrong", "lost"] },
];
const LISTED = { readings: READINGS, questions: [{ question: "Who rows?", text: "Ferry" }, { question: "Who rings?", text: "Bell" }] };

test("an address names readings, each once, and what is none of this site is told in short", () => {
  const { chosen, missing } = named("b,a,,b,nowhere," + "x".repeat(90), READINGS);
  assert.deepEqual(chosen.map(({ id }) => id), ["b", "a"]);
  assert.deepEqual(missing, ["nowhere", "x".repeat(40) + "…"]);
  assert.deepEqual(named(null, READINGS), { chosen: [], missing: [] });
});

test("the two in the players are those of the address, if there are such two", () => {
  assert.deepEqual(pairNamed("1,3", 3), [0, 2]);
  for (const wrong of ["1,4", "2,2", "0,1", "a,b", "", null]) assert.deepEqual(pairNamed(wrong, 3), [0, 1], String(wrong));
});

test("readings of the same question are offered first, and a search leaves those that have all its words", () => {
  assert.deepEqual(offered(LISTED, [READINGS[0]], "").map(({ id }) => id), ["b", "c"]);
  assert.deepEqual(offered(LISTED, [READINGS[2]], "").map(({ id }) => id), ["a", "b"]);
  assert.deepEqual(offered(LISTED, [READINGS[0]], "whole BELL").map(({ id }) => id), ["c"]);
  assert.deepEqual(offered(LISTED, [], "call nowhere"), []);
});

test("a row differs where two values do, and not where a reading has none", () => {
  const rows = tableOf([[["Calls", "3"], ["Pages", "4"]], [["Calls", "5"], ["Cost", "free"]], [["Calls", "3"], ["Cost", "free"]]]);
  assert.deepEqual(rows, [
    { title: "Calls", values: ["3", "5", "3"], differs: true },
    { title: "Pages", values: ["4", null, null], differs: false },
    { title: "Cost", values: [null, "free", "free"], differs: false },
  ]);
});

test("where two part is told from the first of the two, whichever has it in its data", () => {
  const one = { frames: { run: "a" }, parted: { b: { lead: "They part.", sides: [["x", ""], ["y", ""]], at: [1, 4], note: "", rule: "" } } };
  const other = { frames: { run: "b" }, parted: {} };
  assert.deepEqual(partedOf(one, other).at, [1, 4]);
  assert.deepEqual(partedOf(other, one).at, [4, 1]);
  assert.deepEqual(partedOf(other, one).sides, [["y", ""], ["x", ""]]);
  assert.equal(partedOf(other, { frames: { run: "z" } }), null);
});

test("players open where the address says, or where readings by one reader part, or where each decided", () => {
  assert.deepEqual(opensPair("7,9", READINGS, null), [6, 8]);
  assert.deepEqual(opensPair("7", READINGS.slice(0, 2), { at: [3, 3] }), [2, 0]);
  assert.deepEqual(opensPair(null, READINGS.slice(1), { at: [3, 3] }), [3, 3]);
  assert.deepEqual(opensPair(null, READINGS.slice(1), null), [0, 1]);
});

test("what all names end with is said once", () => {
  assert.equal(sharedEnd(READINGS), " · m");
  assert.equal(sharedEnd([READINGS[0], { way: "Whole · n" }]), "");
  assert.equal(sharedEnd([{ way: "one" }, { way: "two" }]), "");
  assert.equal(sharedEnd(READINGS.slice(1, 2)), "");
});

const SHAPE = [
  { parts: [], checks: [] },
  { parts: [{ predicts: 0, writes: false }, { predicts: 3, writes: false }, { predicts: 0, writes: true }], checks: [] },
  { parts: [{ predicts: 2, writes: false }], checks: [3, 2] },
];

test("a learner comes back where the address says, with what was chosen", () => {
  const there = progressIn({ part: "2.3", chosen: "2-.1-" }, SHAPE);
  assert.deepEqual([there.section, [...there.at], [...there.predicted], [...there.answered]], [1, [[1, 2]], [["1.1", 2]], [["2.0", 1]]]);
  assert.deepEqual(inAddressOf(there, SHAPE), { part: "2.3", chosen: "2-.1-" });
  assert.deepEqual(inAddressOf(progressIn({}, SHAPE), SHAPE), { part: "", chosen: "" });
  assert.equal(inAddressOf(progressIn({ part: "3" }, SHAPE), SHAPE).part, "3");
});

test("what an address cannot mean is not believed", () => {
  for (const part of ["9", "0", "2.9", "x", "1e3", "-1"]) {
    const { section, at } = progressIn({ part }, SHAPE);
    assert.ok(section < SHAPE.length && [...at.values()].every((n) => n < SHAPE[section].parts.length), part);
  }
  assert.equal(progressIn({ chosen: "9z.9999" }, SHAPE).predicted.size, 0);
});

test("a part waits until it is predicted or written", () => {
  const done = progressIn({}, SHAPE);
  assert.deepEqual([0, 1, 2].map((n) => waitsAt(done, SHAPE, 1, n)), [false, true, true]);
  done.predicted.set("1.1", 0);
  done.written.set("1.2", "");
  assert.deepEqual([0, 1, 2].map((n) => waitsAt(done, SHAPE, 1, n)), [false, false, false]);
});

test("how it went is told as on the page Learn", () => {
  const right = (kind, place, choice) => choice === 1;
  assert.deepEqual(resultInWords(progressIn({}, SHAPE), SHAPE, right), ["You made none of the 2 predictions.", "You answered 0 of 2 questions."]);
  assert.deepEqual(resultInWords(progressIn({ chosen: "1-.10" }, SHAPE), SHAPE, right), ["You predicted 1 of 1 as it happened; 1 not made.", "You answered 1 of 2 questions rightly."]);
});

test("a written text has a fact if its words stand there", () => {
  assert.equal(keptInWords("It weighed\nNINE  tons.", "nine tons"), "It has “nine tons”.");
  assert.equal(keptInWords("It weighed nine.", "nine tons"), "It does not have “nine tons” in these words.");
});
