// The state at a step, the step for a place, and the search of steps.
import { test } from "node:test";
import assert from "node:assert/strict";
import { decisionAfter, nearestVisit, phaseAfter, phaseAt, phaseBefore, stateAt, stepAtPlace, stepsWith } from "../../assets/js/player/steps.js";

test("stateAt is the last change at or before a step", () => {
  const changes = [[2, "offered"], [3, "visited"], [7, "back"]];
  const states = Array.from({ length: 10 }, (_, at) => stateAt(changes, at));
  assert.deepEqual(states, [undefined, undefined, "offered", "visited", "visited", "visited", "visited", "back", "back", "back"]);
  assert.equal(stateAt([], 5), undefined);
  assert.equal(stateAt([[4, "a"], [4, "b"]], 4), "b");
});

test("stateAt agrees with a plain search over many changes", () => {
  const changes = Array.from({ length: 200 }, (_, n) => [3 * n + (n % 2), n]);
  for (let at = -1; at < 620; at++) assert.equal(stateAt(changes, at), changes.findLast(([step]) => step <= at)?.[1]);
});

test("phaseAt is the phase that a step belongs to", () => {
  const phases = [{ from: 0, name: "build" }, { from: 4, name: "search" }];
  assert.deepEqual([0, 3, 4, 9].map((at) => phaseAt(phases, at).name), ["build", "build", "search", "search"]);
  assert.equal(phaseAt([], 0), undefined);
});

test("phases and decisions are gone to from any step, and not beyond the last or before the first", () => {
  const phases = [{ from: 0 }, { from: 4 }, { from: 6 }];
  assert.deepEqual([0, 3, 4, 6].map((at) => phaseAfter(phases, at)), [4, 4, 6, undefined]);
  assert.deepEqual([0, 3, 4, 5, 6, 8].map((at) => phaseBefore(phases, at)), [undefined, 0, 0, 4, 4, 6]);
  const steps = [{ decision: { options: [{}] } }, {}, { decision: { options: [] } }, { decision: { options: [{}, {}] } }, {}];
  assert.deepEqual([0, 2, 3, 4].map((at) => decisionAfter(steps, at)), [3, 3, undefined, undefined]);
  assert.deepEqual([0, 1].map((at) => decisionAfter([{}, {}], at)), [1, undefined]); // never offered any: every step
});

test("nearestVisit prefers the nearest step, then the earlier one, and leaves the visits in order", () => {
  const visits = [2, 6, 20];
  assert.equal(nearestVisit(visits, 5), 6);
  assert.equal(nearestVisit(visits, 4), 2);
  assert.equal(nearestVisit(visits, 100), 20);
  assert.equal(nearestVisit([], 3), undefined);
  assert.deepEqual(visits, [2, 6, 20]);
});

const step = (focus, raw = false) => ({ focus, raw });

test("a place leads to the step that read it raw, before any that saw a summary of it", () => {
  const steps = [step([[0, 100]]), step([[0, 50]]), step([[0, 90]], true), step([[50, 100]])];
  assert.deepEqual(stepAtPlace(steps, 10, 0), { step: 2, raw: true });
  assert.deepEqual(stepAtPlace(steps, 95, 0), { step: 3, raw: false });
});

test("of several such steps the one with the smallest passage, then the nearest", () => {
  const steps = [step([[0, 30]], true), step([[0, 10]], true), step([], true), step([[0, 10]], true)];
  assert.equal(stepAtPlace(steps, 5, 0).step, 1);
  assert.equal(stepAtPlace(steps, 5, 3).step, 3);
  assert.equal(stepAtPlace(steps, 20, 3).step, 0);
});

test("a passage ends before its end, and a place that no step opened leads nowhere", () => {
  const steps = [step([[0, 10], [20, 30]], true)];
  assert.equal(stepAtPlace(steps, 10, 0), null);
  assert.equal(stepAtPlace(steps, 20, 0).step, 0);
  assert.equal(stepAtPlace(steps, 30, 0), null);
  assert.equal(stepAtPlace([], 0, 0), null);
});

const told = [
  { say: "It wrote 24 summaries.", where: "a summary of each part", reasons: [] },
  { say: "It compared 3 parts.", where: "part 2", reasons: ["The LAMP is named there."], decision: { options: [{ name: "part 2.1", ref: "wrote:1" }, { name: "go back up", ref: "" }], notes: [{ text: "an unreadable reply" }] } },
];
const texts = { "wrote:1": "Keeper Rusk buried the chest." };

test("steps are found by sentence, place, reason, option, option's text and note, in any case", () => {
  for (const words of ["it compared", "PART 2", "lamp", "go back", "buried the chest", "Unreadable"]) assert.deepEqual(stepsWith(words, told, texts), [1], words);
  assert.deepEqual(stepsWith("summar", told, texts), [0]);
  assert.deepEqual(stepsWith("no such words", told, texts), []);
});

test("nothing typed finds every step, and words are not searched across fields", () => {
  assert.deepEqual(stepsWith("  ", told, texts), [0, 1]);
  assert.deepEqual(stepsWith("parts. part", told, texts), []);
});
