// The sentence of a step in its room, whole if it fits, otherwise as many whole words as fit beside what says that there is more; and who wrote texts.
import { test } from "node:test";
import assert from "node:assert/strict";
import { writtenBy } from "../../assets/js/player/dom.js";
import { openDocument } from "./document.mjs";
import { createSentence, wordsThatFit } from "../../assets/js/player/sentence.js";

const measure = (words) => 10 * words.length;
const shown = (text, about) => text.slice(0, wordsThatFit(text, { width: 100, lines: 2, measure, ...about }));

test("a sentence that fits is whole, also where it fills its lines", () => {
  assert.equal(shown("one two"), "one two");
  assert.equal(shown("aaaa bbbbb cccc ddddd", { ending: " … more" }), "aaaa bbbbb cccc ddddd");
  assert.equal(shown(""), "");
});

test("a longer one ends after a whole word, with room for what says so", () => {
  const text = "aaaa bbbbb cccc ddddd eeee";
  assert.equal(shown(text), "aaaa bbbbb cccc ddddd");
  assert.equal(shown(text, { ending: " … " }), "aaaa bbbbb cccc");
  assert.equal(shown(text, { lines: 1, ending: "…" }), "aaaa");
  for (let width = 60; width < 300; width += 10) {
    const words = shown(text, { width, ending: " … more" });
    assert.ok(text === words || text[words.length] === " ", `cut within a word at ${width}: ${words}`);
  }
});

test("a word longer than its line takes the lines that it is broken over", () => {
  assert.equal(shown("aaaaaaaaaaaaaaa bbb cc"), "aaaaaaaaaaaaaaa bbb");
  assert.equal(shown("aaaaaaaaaaaaaaa bbbbb cc"), "aaaaaaaaaaaaaaa");
});

test("before the player has a width, nothing is cut and nothing is waited for", () => {
  for (const width of [0, -12, NaN]) assert.equal(shown("aaaa bbbbb", { width }), "aaaa bbbbb");
});

test("of texts side by side it is said how many a rule made, and who wrote the others", () => {
  const frames = { by: { "wrote:1": "a rule", "wrote:2": "a rule", "wrote:3": "a person" } };
  const told = (...numbers) => writtenBy(frames, ...numbers.map((n) => `wrote:${n}`));
  assert.equal(told(0), "written by the model");
  assert.equal(told(1, 2), "made by a rule");
  assert.equal(told(0, 1, 4), "1 of them made by a rule, the others written by the model");
  assert.equal(told(0, 3), "written by the model and a person");
});

test("a sentence is cut anew when buttons come beside it and take some of its room", () => {
  openDocument();
  Object.getPrototypeOf(document.createElement("canvas")).getContext = () => ({ measureText: (words) => ({ width: 8 * words.length }) });
  globalThis.getComputedStyle = () => ({ fontSize: "18px" });
  const told = [];
  globalThis.ResizeObserver = class {
    constructor(run) {
      told.push(run);
    }
    observe() {}
  };
  const step = { say: "It left out some names. ".repeat(20), wrong: "1 fallback" };
  const { node, draw } = createSentence({ frames: { steps: [step] }, staged: false });
  draw(step);
  const before = node.textContent;
  node.clientWidth = 250;
  told.forEach((run) => run());
  assert.ok(node.textContent.length < before.length);
  assert.ok(8 * node.textContent.length <= 2 * 250);
});
