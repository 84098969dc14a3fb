// Predicting: where the player halts, what is counted, and what is said of a choice.
import { test } from "node:test";
import assert from "node:assert/strict";
import { openDocument } from "./document.mjs";
import { askedBetween, countInWords, countOf, createPredict, said } from "../../assets/js/player/predict.js";

const option = (name, picked = false) => ({ mark: "1", name, text: `${name} whole`, picked });
const CHOICE = { asks: "What will the model choose?", verb: "chose" };
const stops = [
  { at: 2, note: "look", pauses: true },
  { at: 4, note: "", pauses: false, ...CHOICE, options: [option("part 1"), option("part 2", true)] },
  { at: 7, note: "", pauses: false, ...CHOICE, options: [option("page 1", true), option("page 2", true), option("page 3")] },
];

test("only a move forward past a choice that nobody has answered is asked about, the first of several", () => {
  const asked = (from, to, answered = new Map()) => askedBetween(stops, answered, from, to)?.at;
  assert.deepEqual([asked(0, 9), asked(3, 4), asked(4, 6), asked(9, 0), asked(0, 3)], [4, 4, undefined, undefined, undefined]);
  assert.equal(asked(0, 9, new Map([[4, 0]])), 7);
  assert.equal(askedBetween(undefined, new Map(), 0, 9), undefined);
});

test("what was skipped counts neither for nor against", () => {
  assert.deepEqual(countOf(stops, new Map([[4, 0], [7, null]])), { of: 1, right: 0, left: 0 });
  assert.equal(countInWords(countOf(stops, new Map([[7, 1]]))), "You foresaw 1 of 1. 1 to come.");
  assert.equal(countInWords(countOf(stops, new Map())), "2 to come.");
});

test("what was predicted and what was chosen is said in a sentence", () => {
  assert.equal(said(stops[1], 1), "You said part 2, and so it did.");
  assert.equal(said(stops[1], 0), "You said part 1. It chose part 2.");
  assert.equal(said(stops[2], 0), "You said page 1, and it is among what it chose: page 1 and page 2.");
  assert.equal(said(stops[1], null), "It chose part 2.");
  const three = { ...CHOICE, options: ["page 4", "page 5", "page 6"].map((name) => option(name, true)) };
  assert.equal(said(three, null), "It chose page 4, page 5 and page 6.");
  const memory = { verb: "kept", options: [option("sentence 1 of the memory", true), option("sentence 9 of chunk 3")] };
  assert.equal(said(memory, 1), "You said “sentence 9 of chunk 3 whole”. It kept “sentence 1 of the memory whole”.");
});

test("the player halts before the choice, a digit answers, and the step is shown and reported once", () => {
  openDocument();
  const told = [];
  globalThis.window = { dispatchEvent: ({ detail }) => told.push(detail) };
  globalThis.CustomEvent = class { constructor(kind, { detail }) { this.detail = detail; } };
  let digit;
  const player = { at: 0, last: 9, frames: { run: "r", stops }, root: { classList: { toggle() {} } }, keys: { on: ({ predict }) => (digit = predict) } };
  let resumed = 0;
  const predict = createPredict(player, { resume: () => resumed++ });
  player.go = (step) => (player.at = predict.halt(step));
  assert.equal(digit({ key: "1" }), false);
  player.go(9);
  assert.deepEqual([player.at, predict.asks(), predict.waits()], [3, true, true]);
  assert.equal(digit({ key: "3" }), false);
  predict.halted(true);
  digit({ key: "2" });
  assert.deepEqual([player.at, predict.asks(), resumed], [4, false, 1]);
  assert.deepEqual(told, [{ at: 4, option: 1, foreseen: true, of: 1, right: 1, run: "r", kind: "predicted" }]);
  player.go(0);
  player.go(5);
  assert.deepEqual([player.at, predict.asks()], [5, false]);
});

test("of many options the beginnings are shown, of few the whole texts", () => {
  openDocument();
  const listOf = (count) => {
    const options = Array.from({ length: count }, (_, n) => option(`page ${n}`, n === 0));
    const player = { at: 0, last: 9, frames: { run: "r", stops: [{ at: 4, ...CHOICE, options }] }, root: { classList: { toggle() {} } }, keys: { on() {} } };
    const predict = createPredict(player, { resume() {} });
    player.ends = () => true;
    player.at = predict.halt(4);
    predict.draw(player.at);
    return [predict.node.querySelector("ol").className, predict.node.querySelectorAll(".tool").length];
  };
  assert.deepEqual(listOf(16), ["predict-options short", 2]);
  assert.deepEqual(listOf(3), ["predict-options", 1]);
});
