// What each hop of a chain added and lost: in figures where there is room, as bars where there is none, and in words.
import { test } from "node:test";
import assert from "node:assert/strict";
import { openDocument } from "./document.mjs";
import { html, render } from "../../assets/vendor/preact.js";
import { HopMarks, hopWords } from "../../assets/js/pictures/memory_hops.js";

openDocument();
const HOPS_READ = [[4, 0], [1, 3], [0, 0]];

function hopsOf(wide) {
  const node = document.createElement("svg");
  render(html`<${HopMarks} hops=${HOPS_READ} x=${(n) => n * wide} wide=${wide} top=${0} />`, node);
  return node;
}

test("with room a figure stands for each hop that added or lost something", () => {
  assert.deepEqual(hopsOf(40).querySelectorAll("text").map((mark) => mark.textContent), ["+4", "+1", "✕3"]);
});

test("without room they are two rows of bars", () => {
  const found = hopsOf(8).querySelectorAll("path");
  assert.equal(found.length, 2);
  assert.deepEqual(found.map((mark) => mark.getAttribute("d").split("M").length - 1), [2, 1]);
});

test("in words", () => {
  assert.deepEqual(HOPS_READ.map(hopWords), ["4 sentences added", "1 sentence added, 3 lost", "nothing added or lost"]);
});
