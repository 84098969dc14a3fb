// Preact as it is vendored draws into the tests' document, changes only what differs, and writes data as text.
import assert from "node:assert/strict";
import { test } from "node:test";
import { html, render, useState } from "../../assets/vendor/preact.js";
import { openDocument } from "./document.mjs";

openDocument();

test("what differs is changed, and the rest stays the same elements", () => {
  const root = document.createElement("div");
  const list = (words) => html`<ul class="pages">${words.map((word) => html`<li key=${word}>${word}</li>`)}</ul>`;
  render(list(["a", "b"]), root);
  const [list1, second] = [root.querySelector("ul"), root.querySelectorAll("li")[1]];
  render(list(["b", "c"]), root);
  assert.equal(root.querySelector("ul"), list1);
  assert.equal(root.querySelectorAll("li")[0], second);
  assert.equal(root.textContent, "bc");
});

test("a listener and a state redraw", async () => {
  const root = document.createElement("div");
  const Count = () => {
    const [presses, setPresses] = useState(0);
    return html`<button hidden=${presses > 1} onClick=${() => setPresses(presses + 1)}>${presses}</button>`;
  };
  render(html`<${Count} />`, root);
  const button = root.querySelector("button");
  button.dispatch("click");
  await new Promise((done) => setTimeout(done, 20));
  assert.equal(button.textContent, "1");
  assert.equal(button.hidden, false);
});

test("data is text, and an object that looks like an element is not drawn as one", () => {
  const root = document.createElement("div");
  const forged = JSON.parse('{"type": "img", "props": {"src": "x", "onerror": "alert(1)"}, "constructor": null}');
  render(html`<p title=${"<b>"}>${"<img src=x>"}${forged}</p>`, root);
  assert.equal(root.textContent, "<img src=x>");
  assert.equal(root.querySelectorAll("img").length, 0);
});
