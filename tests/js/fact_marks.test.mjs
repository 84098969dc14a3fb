// The marks of followed facts in a picture: which mark what is drawn has at a step, and that each picture looks up its own refs.
import { test } from "node:test";
import assert from "node:assert/strict";
import { openDocument } from "./document.mjs";

openDocument();
const { factKey, factMarks, factPath, factWords } = await import("../../assets/js/pictures/fact_marks.js");
const { html, render } = await import("../../assets/vendor/preact.js");
const { Pages } = await import("../../assets/js/pictures/pages.js");
const { Chart } = await import("../../assets/js/pictures/memory_chart.js");

// The summary says it from step 1 on; the passage is raw at step 1, and again at 5; the memory loses it at 7, where it dies.
const FACT = {
  fact: [120, 130],
  fate: { step: 7 },
  carriers: { marks: { "wrote:1": [[1, "carried"]], "document:100-200": [[1, "raw"], [2, ""], [5, "raw"], [6, ""]], "wrote:2": [[7, "lost"]] }, died: ["wrote:2"] },
};
const LEAF = ["wrote:1", "document:100-200"];
const shown = (refs, at, ends = true) => factMarks([FACT], refs, at, ends)[0];

test("a text has its mark from the step that wrote it, together with the passage only while it was written", () => {
  assert.equal(shown(LEAF, 0), undefined);
  assert.deepEqual([1, 2, 5, 6].map((at) => [shown(LEAF, at).shape, shown(LEAF, at).raw]), [["carried", true], ["carried", false], ["raw", false], ["carried", false]]);
  assert.deepEqual(factMarks([FACT], ["wrote:9", "document:0-100"], 9, true), []);
});

test("of several texts drawn as one, the one that says most counts", () => {
  assert.equal(shown(["wrote:2", "wrote:1"], 8).shape, "carried");
});

test("where a fact died is told from that step on, and only with the end", () => {
  assert.deepEqual([[6, true], [7, false], [7, true], [9, true]].map(([at, ends]) => Boolean(shown(["wrote:2"], at, ends)?.died)), [false, false, true, true]);
  assert.match(factWords(factMarks([FACT], ["wrote:2"], 7, true)), /no longer says it; here its fate was decided/);
  const unmarked = { ...FACT, carriers: { marks: {}, died: ["document:0-100"] } };
  assert.deepEqual(factMarks([unmarked], ["document:0-100"], 8, true).map(({ shape, died }) => [shape, died]), [["none", true]]);
});

test("several facts have a mark each, by their number", () => {
  const marks = factMarks([FACT, { ...FACT, carriers: { marks: {}, died: [] } }, FACT], ["wrote:1"], 3, true);
  assert.deepEqual(marks.map(({ n, of }) => [n, of]), [[0, 3], [2, 3]]);
  assert.match(factWords(marks), /^fact 1: it says it · fact 3: it says it$/);
  assert.notEqual(factKey(marks), factKey(marks.slice(1)));
});

test("the way up a tree leads from what says a fact to what was written of it", () => {
  const [said, lost] = [[{ n: 0, shape: "carried" }], [{ n: 0, shape: "lost" }]];
  assert.deepEqual([factPath(said, said), factPath([{ n: 0, shape: "raw" }], lost), factPath(lost, lost), factPath(said, [{ n: 1, shape: "carried" }])], ["carried", "lost", "", ""]);
});

test("the pages of a strip are marked at the step, and say so", () => {
  const made = [0, 100].map((start, n) => ({ id: String(n), name: `page ${n + 1}`, number: String(n + 1), start, end: start + 100, words: 20, gist: "A gist.", gist_words: 2, ended: "", ref: `wrote:${n}`, refs: [`wrote:${n}`, `document:${start}-${start + 100}`], changes: [[0, "gist"]], visits: [] }));
  const picture = { pages: made, caption: "", hint: "", here: Array(10).fill(null), built: 0, meanings: { gist: "only its gist" }, since: { gist: 0 }, beside: {}, claims: [] };
  const node = document.createElement("section");
  const draw = (at) => render(html`<${Pages} frames=${{ picture, steps: [], text: { whole: null } }} at=${at} last=${9} ends=${true} facts=${[FACT]} />`, node);
  const marks = (at) => (draw(at), node.querySelectorAll(".page").map((page) => page.querySelectorAll(".life-mark").map((mark) => mark.className)));
  assert.deepEqual(marks(0), [[], []]);
  assert.deepEqual(marks(5), [[], ["life-mark raw"]]);
  assert.deepEqual(marks(6), [[], ["life-mark carried"]]);
  assert.match(node.querySelectorAll(".page")[1].getAttribute("aria-label"), /the fact: it says it$/);
  assert.equal(node.querySelectorAll(".fact-key").length, 1);
});

test("a memory's strip has each chunk as it was read and each memory as it was written", () => {
  const snapshots = [0, 1, 7].map((step) => ({ step, tokens: 50, truncated: false, callback: null, span: [100 * step, 100 * step + 100], chunk: `document:${100 * step}-${100 * step + 100}`, ref: { 1: "wrote:1", 7: "wrote:2" }[step] ?? "wrote:0" }));
  const node = document.createElement("section");
  const draw = (facts) => render(html`<${Chart} frames=${{ picture: { snapshots, limit: 100, here: [0, 1, 1, 1, 1, 1, 1, 2, 2, 2] } }} at=${9} ends=${true} facts=${facts} />`, node);
  const kinds = () => node.querySelectorAll(".carrier").map((path) => path.getAttribute("class").split(" ")[1]);
  draw([FACT]); // it measures its width, and draws with it then
  draw([FACT]);
  assert.deepEqual(kinds(), ["carried", "lost", "raw", "died", "lost-sign"]);
  draw([]);
  assert.deepEqual(kinds(), []);
});
