// A memory that is overwritten: older layers, merged sentences, lost phrases, and the ranking of look-backs.
import { test } from "node:test";
import assert from "node:assert/strict";
import { html, render } from "../../assets/vendor/preact.js";
import { aboutEqual, LookBack, ranked } from "../../assets/js/pictures/memory_cards.js";
import { olderFate, isLost, laneIn, layers, placeOfPhrase, plainMemories, runsWith, standing, inMemory } from "../../assets/js/pictures/memory_layers.js";
import { openDocument } from "./document.mjs";

openDocument();

// Five memories at steps 0, 1, 2, 4, 5. Lane 0: the survey, reworded in memory 3. Lane 1: the chest, in memories 1 and 2. Lane 2: the
// debt, in memories 1 to 3 and again in the last. Lane 3: the chart, which lane 0 takes up in the last memory.
const texts = ["The survey.", "The survey, in May.", "A chest with two  locks.", "A debt of Forty Pounds.", "A chart."];
const picture = {
  texts,
  here: [0, 1, 2, 2, 3, 4],
  snapshots: [0, 1, 2, 4, 5].map((step) => ({ step })),
  lanes: [
    { v: [[0, 0], [3, 1]], gone: [] },
    { v: [[1, 2]], gone: [[3, -1]] },
    { v: [[1, 3], [4, 3]], gone: [[4, -1]] },
    { v: [[2, 4]], gone: [[4, 0]] },
  ],
  memories: [[[0, 0]], [[0, 0], [1, 0], [2, 0]], [[0, 0], [1, 0], [2, 0], [3, 0]], [[0, 1], [2, 0], [3, 0]], [[0, 1]]],
  over: [[], [], [], [[0, 0, -1], [1, 0, 0]], [[2, 0, 0], [3, 0, 2]]],
};
const shown = (number, about) => {
  const { found, more } = layers(picture, number, { most: 80, ...about });
  return { found: found.map(({ lane, version, at, after }) => [texts[picture.lanes[lane].v[version][1]], at, after]), more };
};

test("the memory at a step, and whether it was written at that very step", () => {
  assert.deepEqual(standing(picture, 2), { number: 2, fresh: true });
  assert.deepEqual(standing(picture, 3), { number: 2, fresh: false });
  assert.deepEqual(standing({ ...picture, here: [] }, 0), { number: -1, fresh: false });
});

test("no depth shows no older layer", () => {
  assert.deepEqual(shown(4, { from: 4, depth: 0 }), { found: [], more: 0 });
});

test("older layers come latest first, each under the sentence it stood after", () => {
  assert.deepEqual(shown(3, { from: 3, depth: 1 }).found, [["The survey.", 3, 0], ["A chest with two  locks.", 3, 0]]);
  assert.deepEqual(shown(4, { from: 4, depth: 1 }).found, [["A debt of Forty Pounds.", 4, 0], ["A chart.", 4, 0]]);
  assert.deepEqual(shown(4, { from: 4, depth: 1e9 }).found.map(([, at]) => at), [4, 4, 3, 3]);
});

test("what was overwritten at this very step is not an older layer: it begins one memory below", () => {
  assert.deepEqual(shown(4, { from: 3, depth: 1 }).found.map(([words]) => words), ["The survey.", "A chest with two  locks."]);
});

test("an older sentence was overwritten only where it was lost", () => {
  assert.deepEqual([[0, 3], [1, 3], [3, 4]].map(([lane, at]) => olderFate(picture, { lane, at })), ["reworded", "overwritten", "merged into another"]);
});

test("at most so many at once, and where the rest begins", () => {
  assert.deepEqual(shown(4, { from: 4, depth: 1e9, most: 2 }), { found: [["A debt of Forty Pounds.", 4, 0], ["A chart.", 4, 0]], more: 4 });
});

test("a sentence that is in the memory now is not one of its older layers", () => {
  const back = { ...picture, memories: [...picture.memories.slice(0, 4), [[0, 1], [1, 0]]] };
  assert.deepEqual(layers(back, 4, { from: 3, depth: 1, most: 80 }).found.map(({ lane }) => lane), [0]);
});

test("lanes that follow each other in a circle end at the top", () => {
  const circle = { ...picture, over: [[], [], [], [[1, 0, 2], [2, 0, 1]], []], memories: [[], [], [], [], []] };
  assert.deepEqual(layers(circle, 4, { from: 4, depth: 9, most: 80 }).found.map(({ after }) => after), [-1, -1]);
});

test("a sentence that became part of another one is not lost, and its lane is the other's", () => {
  assert.equal(isLost(picture, 1, 3), true);
  assert.equal(isLost(picture, 3, 4), false);
  assert.equal(laneIn(picture, 3, 3), 3);
  assert.equal(laneIn(picture, 3, 4), 0);
  assert.equal(laneIn(picture, 1, 4), 1);
  const back = { lanes: [{ v: [[0, 0]], gone: [] }, { v: [[0, 1], [4, 1]], gone: [[2, 0]] }] };
  assert.deepEqual([1, 2, 3, 4, 5].map((number) => laneIn(back, 1, number)), [1, 0, 0, 1, 1]);
});

test("a phrase is found in every run of memories that contains it, whatever its case and spaces", () => {
  const memories = plainMemories(picture);
  assert.deepEqual(runsWith("forty   POUNDS", memories), [[1, 3]]);
  assert.deepEqual(runsWith("two locks", memories), [[1, 2]]);
  assert.deepEqual(runsWith("the survey", memories), [[0, 4]]);
  assert.deepEqual(runsWith("in may. a debt", memories), [[3, 3]]);
  assert.deepEqual(runsWith("elephants", memories), []);
  assert.deepEqual(runsWith("a", ["a", "b", "a", "a"]), [[0, 0], [2, 3]]);
});

test("a phrase is found in the text across line ends, and special characters match themselves", () => {
  const whole = "He had\nBorrowed a theodolite (brass).";
  assert.equal(placeOfPhrase("borrowed \n A theodolite", whole), 7);
  assert.equal(placeOfPhrase("theodolite (", whole), 18);
  assert.equal(placeOfPhrase("theodolite.", whole), -1);
  assert.equal(placeOfPhrase("theodolite", null), -1);
});

test("compared memories rank by score, ties by step, and scores that are all 0 are mentioned", () => {
  assert.deepEqual(ranked([0, 1, 2, 3], [5, 9, 0, 9]).map(({ step }) => step), [1, 3, 0, 2]);
  assert.equal(aboutEqual([0, 0]), " All scores are 0; ties go to the earliest.");
  assert.equal(aboutEqual([0, 500]), "");
});

test("where a sentence is, is said with what the reader calls its memory", () => {
  assert.equal(inMemory({ called: "memory" }), "in memory");
  assert.equal(inMemory({ called: "message" }), "in the message");
});

test("a model that asked to look back before there was anything to recall did not look back", () => {
  const looked = (recalled, by_model = true) => {
    const snapshots = [{ step: 0, callback: null, ref: "wrote:0" }, { step: 1, callback: { by_model, query: "the chest", recalled, distance: 1, scores: [1], steps: [0], words: ["1"] } }];
    const frames = { steps: [{}, {}], by: { "wrote:0": "a person" }, picture: { texts, lanes: picture.lanes, snapshots, here: [0, 1], memories: picture.memories, unused_queries: !by_model } };
    const node = document.createElement("div");
    render(html`<${LookBack} frames=${frames} at=${1} ends=${true} facts=${[]} go=${() => {}} />`, node);
    return [node.textContent, ...node.querySelectorAll(".quoted").map((each) => each.className)];
  };
  assert.match(looked(null)[0], /^It asked to look back.*no earlier memory/);
  const [words, query, recalled] = looked(0);
  assert.match(words, /^It looked back.*The most similar memory.*The memory of step 1, written by a person/);
  assert.deepEqual([query, recalled], ["quoted by-model", "quoted by-other earlier"]);
  assert.equal(looked(null, false)[1], "quoted by-other"); // the question was its query
  assert.match(looked(null, false)[0], /the question itself was the query; its own queries are not used here/);
});
