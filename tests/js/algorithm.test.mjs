// The algorithm beside a reading: which line a step stands at, where a line leads, and what the pane shows of both.
import { beforeEach, test } from "node:test";
import assert from "node:assert/strict";
import { openDocument } from "./document.mjs";
import { createAlgorithm } from "../../assets/js/player/algorithm.js";
import { lineAt, nextRunOf } from "../../assets/js/player/steps.js";

const steps = [{ ran: [[0, "3 chunks"], [1, "m₁ ← model(chunk 1)"]] }, { ran: [[1, "m₂ ← model(chunk 2)"]] }, { ran: [[2, ""]] }, {}];
const algorithm = {
  paper: "Somebody, 2025",
  lines: [
    { words: "chunks ← cut(text)", depth: 0, section: "section 3", source: 0 },
    { words: "mₜ ← model(chunk t)", depth: 1, section: "section 3.1", source: 0 },
    { words: "answer", depth: 0, section: "section 3.2", source: 1 },
  ],
  sources: [{ name: "cut", file: "readers/x.py", from: 7, text: "def cut(): ..." }, { name: "say", file: "readers/x.py", from: 9, text: "def say(): ..." }],
};
let player, pane, actions, changes;

function opened(about = {}, shown = true) {
  openDocument();
  actions = {};
  changes = 0;
  player = { frames: { steps, algorithm, ...about }, at: 0, keys: { on: (more) => Object.assign(actions, more) }, go: (step) => (player.at = step) };
  pane = createAlgorithm(player, { offered: true, shown }, () => (changes += 1));
  return pane;
}

beforeEach(() => {
  const kept = new Map();
  globalThis.window = { localStorage: { getItem: (name) => kept.get(name) ?? null, setItem: (name, value) => kept.set(name, value) } };
});

test("a step stands at the last line that it ran", () => {
  assert.deepEqual(steps.map(lineAt), [1, 1, 2, undefined]);
  assert.equal(lineAt(undefined), undefined);
});

test("a line leads to its next step, and from the last one to the first; a line that nothing runs leads nowhere", () => {
  assert.deepEqual([0, 1, 2].map((at) => nextRunOf(steps, 1, at)), [1, 0, 0]);
  assert.equal(nextRunOf(steps, 7, 0), undefined);
});

test("the lines of a step have its values, the last of them is marked, and its section is named", () => {
  opened().draw(0);
  const items = pane.node.querySelectorAll("li");
  assert.deepEqual(items.map((item) => item.querySelector(".words").textContent), ["3 chunks", "m₁ ← model(chunk 1)", "answer"]);
  assert.deepEqual(items.map((item) => item.className), ["ran", "now ran", ""]);
  assert.equal(pane.node.querySelector(".algorithm-about").textContent, "Line 2: section 3.1 · Somebody, 2025");
  pane.draw(2);
  assert.deepEqual(items.map((item) => item.querySelector(".words").textContent), ["chunks ← cut(text)", "mₜ ← model(chunk t)", "answer"]);
  assert.equal(pane.node.querySelector(".algorithm-place").textContent, "say, readers/x.py, line 9");
  assert.equal(pane.node.querySelector("code").textContent, "def say(): ...");
  pane.draw(3);
  assert.equal(pane.node.querySelector(".algorithm-about").textContent, "This step has no line · Somebody, 2025");
});

test("it is shown as the page wishes until a person chooses, and then as they chose, also in the next reading", () => {
  opened({}, false).draw(0);
  assert.equal(pane.node.hidden, true);
  actions.algorithm();
  assert.equal(changes, 1);
  opened({}, false).draw(0);
  assert.equal(pane.node.hidden, false);
  pane.follow(false);
  pane.draw(0);
  assert.equal(pane.node.hidden, false);
});

test("a reader without an algorithm has no pane, no button, and its key is left alone", () => {
  opened({ algorithm: null }).draw(0);
  assert.deepEqual([pane.node.hidden, pane.button.hidden, actions.algorithm()], [true, true, false]);
});

test("where nothing can be remembered, a choice holds for the page", () => {
  globalThis.window = { get localStorage() { throw new Error("forbidden"); } };
  opened({}, true).draw(0);
  actions.algorithm();
  pane.draw(0);
  assert.equal(pane.node.hidden, true);
});
