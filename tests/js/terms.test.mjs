// Terms in words of ours: nothing of the words is lost, and each term is a button that opens its explanation.
import { test } from "node:test";
import assert from "node:assert/strict";
import { html, render } from "../../assets/vendor/preact.js";
import { openDocument } from "./document.mjs";
import { OwnWords, term, termed } from "../../assets/js/player/terms.js";

openDocument();
const card = { lastChild: { textContent: " A short version." }, style: {} };
Object.getPrototypeOf(document.createElement("p")).closest = () => null;
document.getElementById = (id) => (id === "term-gist" ? card : null);

function written(words, marks) {
  const box = document.createElement("p");
  render(html`<${OwnWords} words=${words} marks=${marks} />`, box);
  return box;
}

test("words keep their letters, and each term is a button", () => {
  const made = written("Its gist and the chunk of it.", [[4, 8, "gist"], [17, 22, "chunk"]]);
  assert.equal(made.textContent, "Its gist and the chunk of it.");
  assert.deepEqual(made.querySelectorAll("button").map((button) => button.textContent), ["gist", "chunk"]);
  assert.equal(written("A gist.) It", [[2, 6, "gist"]]).querySelector(".unbroken").textContent, "gist.)");
});

test("words without a term are text alone", () => {
  assert.equal(written("Its page.", []).children.length, 0);
  assert.equal(termed({ terms: { Gists: [[0, 5, "gist"]] } }, "Pages"), "Pages");
  assert.equal(termed({ terms: { Gists: [[0, 5, "gist"]] } }, "Gists").textContent, "Gists");
  assert.equal(termed({ terms: { chunk: [[0, 5, "chunk"]] } }, "chunk 14").querySelector("button").textContent, "chunk");
});

test("the explanation is found when the term is about to be used, also one that the page drew later", () => {
  const button = term("gist", "gist");
  assert.equal(button.popoverTargetElement, undefined);
  button.dispatch("focus");
  assert.deepEqual([button.popoverTargetElement, button.title], [card, "A short version."]);
  const other = term("chunk", "chunk");
  other.dispatch("pointerdown");
  assert.equal(other.popoverTargetElement, undefined);
});
