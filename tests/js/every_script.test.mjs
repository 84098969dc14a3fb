// Words of texts, models and people say their direction themselves, wherever the player and a replay draw them; what stands before them
// in our own letters does not decide it.
import { test } from "node:test";
import assert from "node:assert/strict";
import { html, render } from "../../assets/vendor/preact.js";
import { GistBesidePage } from "../../assets/js/pictures/gist_beside_page.js";
import { Decision } from "../../assets/js/player/decision.js";
import { Note } from "../../assets/js/player/notes.js";
import { paragraphsOf } from "../../assets/js/player/places.js";
import { Wrote } from "../../assets/js/player/seen_summaries.js";
import { StepsTable } from "../../assets/js/player/steps_table.js";
import { boxed, paragraphNode } from "../../assets/js/player/text_blocks.js";
import { Full } from "../../assets/js/replay/full.js";
import { Head } from "../../assets/js/replay/head.js";
import { openDocument } from "./document.mjs";

const WORDS = { Hebrew: "יומן הנמל", Arabic: "دفتر الميناء" };
const FROM_RIGHT = /[\u0590-\u06ff]/;
const STRONG = /\p{L}/u;

// The first letter that decides an element's direction: those in elements with a direction of their own do not count.
function firstLetter(node) {
  for (const child of node.childNodes) {
    const own = child.nodeType === 1 && (child.localName === "bdi" || child.hasAttribute("dir"));
    const found = child.nodeType === 3 ? STRONG.exec(child.data)?.[0] : own ? undefined : firstLetter(child);
    if (found) return found;
  }
  return undefined;
}

// The words in these elements that are not read from the right, with where they stand.
function wrong(node, around = undefined) {
  const here = node.localName === "bdi" || node.getAttribute?.("dir") === "auto" ? node : around;
  if (node.nodeType === 3) return FROM_RIGHT.test(node.data) && !(here && FROM_RIGHT.test(firstLetter(here) ?? "")) ? [`${node.parentNode.localName}.${node.parentNode.className}: ${node.data}`] : [];
  return node.childNodes.flatMap((child) => wrong(child, here));
}

function drawn(component) {
  const box = document.createElement("div");
  render(component, box);
  assert.ok(FROM_RIGHT.test(box.textContent));
  return box;
}

for (const [script, words] of Object.entries(WORDS)) {
  test(`${script} words are read from the right wherever they are drawn`, () => {
    openDocument();
    globalThis.requestAnimationFrame ??= (act) => setTimeout(act);
    const decision = { options: [{ mark: "1", name: words, ref: "wrote:1", picked: true, note: "" }], reason: words, by_model: true, counting: "", notes: [{ head: "Misread", text: words, reply: words, help: "" }] };
    const frames = { kind: "graph", terms: [], steps: [{ say: words, where: "part 1", reasons: [words], decision }], texts: { "wrote:1": words }, phases: [{ name: "Reading", from: 0 }], stops: [{ at: 0, note: words }], by: {}, rules: {}, text: { whole: words } };
    const call = { step: 0, origin: "live", says: "", facts: [], prompt: [["document", [0, words.length], 0]], reply: 0, by: "a model", thoughts: 0, counting: "" };
    const reading = { calls: { calls: [call], words: [words] }, frames, measures: [], settings: [] };
    const open = Object.assign(document.createElement("details"), { open: true });
    const components = [
      html`<${Decision} frames=${frames} at=${0} facts=${[]} ends=${true} />`,
      html`<${Note} frames=${frames} at=${0} />`,
      html`<${Wrote} items=${[{ ref: "wrote:1", name: words, text: words, of: [words] }]} frames=${frames} />`,
      html`<${StepsTable} frames=${frames} at=${0} last=${0} ends=${true} go=${() => {}} node=${open} />`,
      html`<${GistBesidePage} beside=${{ gist: [[words, "kept"]], page: [[words, "met"]], rare: 1, kept: 1, why: "", met: [], adds: [] }} by="written by a model" />`,
      html`<${Head} question=${words} choices=${[words]} about=${["MemWalker", words, "2 calls"]} answer=${{ words, by: "a model" }} chips=${[]} known=${{ words, verdict: "" }} reveal=${() => {}} />`,
      html`<${Head} question=${words} choices=${[]} about=${[]} answer=${{ none: [words], tone: "" }} chips=${[]} />`,
      html`<${Full} reading=${reading} at=${0} ends=${true} />`,
    ];
    const boxes = components.map(drawn);
    const source = `# ${words}\n\n${words}\n\n- ${words}\n\n1 | ${words}`;
    const at = [...source.matchAll(new RegExp(words, "g"))].map(({ index }) => [index, index + words.length]);
    const blocks = [["heading", 0, at[0][1], 1, [at[0]]], ["bullet", at[2][0] - 2, at[2][1], 1, [at[2]]], ["row", at[3][0] - 4, at[3][1], 0, [[at[3][0] - 4, at[3][0] - 3], at[3]]]];
    const text = document.createElement("div");
    text.append(...boxed(paragraphsOf({ start: 0, words: source, blocks }).map((each) => ({ ...each, node: paragraphNode(each, [{ start: 2, end: source.length, kind: "known" }]) }))));
    assert.deepEqual([...boxes, text].flatMap((box) => wrong(box)), []);
  });
}
