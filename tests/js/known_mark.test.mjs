// The mark of the place where the known answer stands: on tree and net, on pages, and on the bars of a memory; only while it is shown.
import { test } from "node:test";
import assert from "node:assert/strict";
import { openDocument } from "./document.mjs";

openDocument();
const { markKnownBoxes } = await import("../../assets/js/pictures/known_mark.js");
const { html, render } = await import("../../assets/vendor/preact.js");
const { Pages } = await import("../../assets/js/pictures/pages.js");
const { Chart } = await import("../../assets/js/pictures/memory_chart.js");
const { TREE } = await import("../../assets/js/pictures/graph_marks.js");
const { NET } = await import("../../assets/js/pictures/net_marks.js");

const KNOWN = { evidence: [[120, 130]] };
const SPANS = [[0, 100], [100, 200], [200, 300]];

// The middles of the diamonds drawn on a canvas.
function diamonds(boxes, known, style) {
  const found = [];
  let corners = [];
  const context = new Proxy({}, {
    get: (_, name) => ({ beginPath: () => (corners = []), lineTo: (x, y) => corners.push([x, y]), stroke: () => found.push([corners[0][0], (corners[0][1] + corners[2][1]) / 2]) })[name] ?? (() => {}),
    set: () => true,
  });
  markKnownBoxes(context, boxes, { known, spansOf: (each) => [each.span], half: style.half, ink: {} });
  return found;
}

for (const [name, style] of [["tree", TREE], ["net", NET]]) {
  test(`in a ${name}, the diamond is on the boxes that stand for the place, and on no other`, () => {
    const boxes = SPANS.map((span, n) => ({ id: String(n), kind: "node", x: 100 * n, y: 50, width: 40, span }));
    assert.deepEqual(diamonds(boxes, KNOWN, style), [[116, 50 + style.half]]);
    assert.deepEqual(diamonds(boxes, null, style), []);
  });
}

function pages(known) {
  const made = SPANS.map(([start, end], n) => ({ id: String(n), name: `page ${n + 1}`, number: String(n + 1), start, end, words: 20, gist: "A gist.", gist_words: 2, ended: "", ref: `wrote:${n}`, changes: [[0, "gist"]], visits: [] }));
  const picture = { pages: made, caption: "", hint: "", here: [null], built: 0, meanings: { gist: "only its gist" }, since: { gist: 0 }, beside: {}, claims: [] };
  const node = document.createElement("section");
  render(html`<${Pages} frames=${{ picture, steps: [], text: { whole: null } }} at=${0} last=${1} ends=${true} facts=${[]} known=${known} />`, node);
  return node;
}

test("of pages, the one that the place is on is marked, and says so", () => {
  const marked = pages(KNOWN).querySelectorAll(".page").map((page) => page.querySelectorAll(".known-mark").length === 1);
  assert.deepEqual(marked, [false, true, false]);
  const names = pages(KNOWN).querySelectorAll(".page").map((page) => page.getAttribute("aria-label"));
  assert.deepEqual(names.map((each) => each.includes("the known answer stands here")), [false, true, false]);
  assert.equal(pages(KNOWN).querySelectorAll(".known-key").length, 1);
  for (const name of [".known-mark", ".known-key"]) assert.equal(pages(null).querySelectorAll(name).length, 0);
});

test("a card of a page is solid where the map is, and only else hatched for its gist", () => {
  const page = { id: "0", name: "page 1", number: "1", start: 0, end: 9, words: 20, gist: "A gist.", gist_words: 2, ended: "", ref: "wrote:0", changes: [[1, "read"], [2, "gist"]], visits: [] };
  const picture = { pages: [page], caption: "", hint: "", here: [], built: 3, meanings: { gist: "only its gist" }, since: { gist: 2 }, beside: {}, claims: [] };
  const steps = [{}, { raw: true, focus: [[0, 9]] }, { raw: true, focus: [[20, 30]] }, { raw: false, focus: [[0, 9]] }, { raw: true, focus: [[0, 5]] }];
  const frames = { picture, steps, cells: [[0, 9, [[1, 2], [3, 1]]]], text: { whole: null } };
  const drawn = [1, 2, 3, 4].map((at) => {
    const node = document.createElement("section");
    render(html`<${Pages} frames=${frames} at=${at} last=${9} ends=${false} facts=${[]} known=${null} />`, node);
    return [/raw-\w+/.exec(node.querySelector(".page").className)?.[0], node.querySelector(".page").getAttribute("aria-label"), node.querySelector(".legend").textContent.trim()];
  });
  assert.deepEqual(drawn, [
    ["raw-now", "page 1, shown raw", "shown raw"],
    ["raw-before", "page 1, shown raw at an earlier step, gist written", "shown raw at an earlier step▤ gist written"],
    [undefined, "page 1, only its gist", "only its gist"],
    [undefined, "page 1, only its gist", "only its gist"],
  ]);
});

test("of a memory's chunks, the bar of the one that the place is in carries the diamond", () => {
  const snapshots = SPANS.map((span, step) => ({ step, tokens: 50, truncated: false, callback: null, span }));
  const node = document.createElement("section");
  const draw = (known) => render(html`<${Chart} frames=${{ picture: { snapshots, limit: 100, here: [0, 1, 2] } }} at=${2} ends=${true} facts=${[]} known=${known} />`, node);
  const drawn = () => node.querySelector(".known").getAttribute("d");
  draw(KNOWN); // it measures its width, and draws with it then
  draw(KNOWN);
  assert.match(drawn(), /^M200\.0 [\d.]+l7 7l-7 7l-7 -7z$/); // in the middle of the second of three bars
  draw(null);
  assert.equal(drawn(), "");
});
