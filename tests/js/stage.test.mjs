// The end of a reading on Stage: when it is shown, and what it says.
import { test } from "node:test";
import assert from "node:assert/strict";
import { openDocument } from "./document.mjs";
import { endingOf, fatesAt, fatesOf, isAtEnd } from "../../assets/js/player/stage.js";

openDocument();
const wrong = { words: "(C) Fourteen tons", by: "answer, written by Qwen", mark: "✕", verdict: "wrong", tone: "lost", known: "Nine tons" };

test("the answer is shown at the last step of a reading that has ended, on Stage alone", () => {
  const shown = (about) => isAtEnd({ staged: true, at: 4, last: 4, frames: { live: false }, ...about });
  assert.equal(shown({}), true);
  assert.equal(shown({ at: 3 }), false);
  assert.equal(shown({ staged: false }), false);
  assert.equal(shown({ frames: { live: true } }), false);
});

test("it is the whole answer with its author, the verdict in words, and the known answer of a wrong one", () => {
  const long = `${"A very long answer. ".repeat(40)}Its end.`;
  const node = endingOf({ ...wrong, words: long });
  assert.equal(node.querySelector(".words").textContent, long);
  assert.equal(node.querySelector("small").textContent, "answer, written by Qwen");
  assert.equal(node.querySelector(".stage-verdict").textContent, "✕ wrongknown answer: Nine tons");
  assert.equal(endingOf({ ...wrong, known: "" }).querySelector(".known"), null);
});

test("a reading without an answer says why, and nobody wrote that", () => {
  const node = endingOf({ ...wrong, words: "It gave up.", by: "" });
  assert.equal(node.querySelector("small"), null);
  assert.equal(node.querySelector(".by-model"), null);
});

test("where a fact died is said at the step that decided it, and not while the end is hidden", () => {
  const life = { words: "Eleven notes are dead.", fact: [3, 9], fate: { step: 1, kind: "Lost in a text", sentence: "The summary does not say it.", end: "dead" } };
  const going = { ...life, fate: null };
  assert.deepEqual(fatesAt([life, going], 1, true), [life]);
  assert.deepEqual(fatesAt([life], 2, true), []);
  assert.deepEqual(fatesAt([life], 1, false), []);
  assert.equal(fatesOf([life]).querySelector(".stage-fate").textContent, "Eleven notes are dead.Lost in a text. The summary does not say it.");
  assert.equal(endingOf(wrong, [life]).querySelector(".dead").textContent, "Lost in a text.");
});
