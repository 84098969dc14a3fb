// Terms in words of ours: nothing of the words is lost, and each term is a button that opens its explanation.
import { test } from "node:test";
import assert from "node:assert/strict";
import { term, termed, withTerms } from "../../assets/js/player/terms.js";

const card = { lastChild: { textContent: " A short version." }, style: {} };

class Made extends EventTarget {
  constructor(tag) {
    super();
    Object.assign(this, { tag, children: [] });
  }
  setAttribute(name, value) {
    this[name] = value;
  }
  append(...children) {
    this.children.push(...children);
  }
  closest() {
    return null;
  }
  set text(words) {
    this.textContent = words;
  }
}

globalThis.document = { createElement: (tag) => new Made(tag), getElementById: (id) => (id === "term-gist" ? card : null) };
const words = (node) => (typeof node === "string" ? node : (node.textContent ?? node.children.map(words).join("")));

test("words keep their letters, and each term is a button", () => {
  const made = withTerms("Its gist and the chunk of it.", [[4, 8, "gist"], [17, 22, "chunk"]]);
  assert.equal(words(made), "Its gist and the chunk of it.");
  assert.equal(words(withTerms("A gist.) It", [[2, 6, "gist"]])), "A gist.) It");
  assert.equal(words(withTerms("A gist.) It", [[2, 6, "gist"]]).children[1]), "gist.)");
  assert.deepEqual(made.children.filter((each) => each.tag === "button").map(words), ["gist", "chunk"]);
});

test("words without a term are text alone", () => {
  assert.equal(withTerms("Its page.", []), "Its page.");
  assert.equal(termed({ terms: { Gists: [[0, 5, "gist"]] } }, "Pages"), "Pages");
  assert.equal(words(termed({ terms: { Gists: [[0, 5, "gist"]] } }, "Gists")), "Gists");
  assert.deepEqual(termed({ terms: { chunk: [[0, 5, "chunk"]] } }, "chunk 14").children.map(words), ["chunk", " 14"]);
});

test("the explanation is found when the term is about to be used, also one that the page drew later", () => {
  const button = term("gist", "gist");
  assert.equal(button.popoverTargetElement, undefined);
  button.dispatchEvent(new Event("focus"));
  assert.deepEqual([button.popoverTargetElement, button.title], [card, "A short version."]);
  const other = term("chunk", "chunk");
  other.dispatchEvent(new Event("pointerdown"));
  assert.equal(other.popoverTargetElement, undefined);
});
