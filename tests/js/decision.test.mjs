// What a decision card says where no reason is stated.
import { test } from "node:test";
import assert from "node:assert/strict";
import { html, render } from "../../assets/vendor/preact.js";
import { Decision, noReason } from "../../assets/js/player/decision.js";
import { writtenAt } from "../../assets/js/player/seen_summaries.js";
import { openDocument } from "./document.mjs";

openDocument();

// The words of a card at a step with a note, by the kind of the picture.
function card(kind, options) {
  const decision = { at: "", options, reason: "What weight?", by_model: true, notes: [{ head: "Malformed", text: "no memory" }] };
  const node = document.createElement("div");
  render(html`<${Decision} frames=${{ kind, steps: [{ decision }], texts: {} }} at=${0} facts=${[]} ends=${true} />`, node);
  return node.textContent;
}

test("a query is not called a stated reason: the picture of a memory tells the look back, and the card only what was not used", () => {
  const recalled = [{ mark: "1", name: "nothing", picked: true, note: "chosen", struck: false }];
  assert.match(card("graph", recalled), /The decision.*nothing.*Stated reason.*What weight/);
  for (const words of [card("memory", recalled), card("graph", [])]) assert.match(words, /^Notes on this step! Malformed no memory$/);
});

test("where a choice was refused, what it could choose from is there, and no reason is", () => {
  const options = [{ mark: "⌕", name: "search for words", picked: false, note: "chosen, and refused", struck: true }, { mark: "◆", name: "answer", picked: false, note: "offered" }];
  const decision = { at: "", action: "refused", options, reason: "", by_model: false, notes: [{ head: "Refused", text: "that was done before" }] };
  const node = document.createElement("div");
  render(html`<${Decision} frames=${{ kind: "slices", steps: [{ decision }], texts: {} }} at=${0} facts=${[]} ends=${true} />`, node);
  assert.match(node.textContent, /^What it could choose from.*search for words.*chosen, and refused.*answer.*! Refused that was done before$/);
});

test("a prompt that asked for no reason, a reply that gave none and a rule are told apart", () => {
  assert.equal(noReason({ by_model: true, asked_why: false }), "The prompt asked for none.");
  assert.equal(noReason({ by_model: true, asked_why: true }), "The reply gave none.");
  assert.equal(noReason({ by_model: false }), "A rule of the reader chose.");
});

test("the model's stated reason stands above the text in a tree or of pages, before what the step wrote", () => {
  const decision = { by_model: true, options: [{}], reason: "It names the harmonium." };
  const query = { text: "harmonium" };
  const texts = (step, kind) => writtenAt(step, kind)?.items.map(({ text }) => text);
  for (const kind of ["graph", "pages"]) assert.deepEqual(texts({ decision }, kind), [decision.reason]);
  assert.deepEqual(texts({ decision, wrote: { items: [query] } }, "slices"), [decision.reason, query.text]);
  assert.deepEqual(texts({ decision, wrote: { items: [query] } }, "net"), [query.text]);
  const reply = { text: `Reason: ${decision.reason} Action: split` };
  assert.deepEqual(texts({ decision, wrote: { items: [reply] } }, "slices"), [reply.text]);
  for (const other of [undefined, { decision: { ...decision, by_model: false } }, { decision: { ...decision, reason: "" } }, { decision: { ...decision, options: [] } }]) assert.equal(writtenAt(other, "graph"), null);
});
