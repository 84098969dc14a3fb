// Paragraphs and blocks of the text as elements: no character is lost, each mark is on its words, lists and tables have boxes.
import { test } from "node:test";
import assert from "node:assert/strict";
import { pageBegun, paragraphsOf } from "../../assets/js/player/places.js";
import { boxed, paragraphNode, shallowest } from "../../assets/js/player/text_blocks.js";
import { openDocument } from "./document.mjs";

openDocument();
const WORDS = "# Ink <b>\n\n- red\n- blue\n\nName | Age\n---|---\nAnn | \n\n```\nx\n```\n\nprose";
const at = (words) => [WORDS.indexOf(words), WORDS.indexOf(words) + words.length];
const blocks = [
  ["heading", ...at("# Ink <b>"), 1, [at("Ink <b>")]],
  ["bullet", ...at("- red"), 1, [at("red")]],
  ["bullet", ...at("- blue"), 1, [at("blue")]],
  ["header", ...at("Name | Age"), 0, [at("Name"), at("Age")]],
  ["rule", ...at("---|---"), 0, []],
  ["row", ...at("Ann | "), 0, [at("Ann"), [at("Ann | ")[1], at("Ann | ")[1]]]],
  ["code", ...at("```\nx\n```"), 0, [at("x")]],
];
const drawn = (marks) => paragraphsOf({ start: 50, words: WORDS, blocks }).map((each) => ({ ...each, node: paragraphNode(each, marks) }));

test("every character of a block is in its element, and signs are told from words", () => {
  for (const { node, text, start } of drawn([])) {
    assert.equal(node.textContent, text);
    assert.equal(WORDS.slice(start - 50, start - 50 + text.length), text);
  }
  const signs = drawn([]).map(({ node }) => node.querySelectorAll(".sign").map((sign) => sign.textContent));
  assert.deepEqual(signs, [["# "], ["- "], ["- "], [" | "], ["---|---"], [" | "], ["```\n", "\n```"], []]);
  assert.deepEqual(drawn([])[3].node.querySelectorAll(".cell").map((cell) => [cell.textContent, cell.getAttribute("role"), cell.getAttribute("dir")]), [["Name", "columnheader", "auto"], [" | Age", "columnheader", "auto"]]);
});

test("a mark over signs and words is on both, character for character", () => {
  for (let start = 0; start < WORDS.length; start += 3) {
    const marks = [{ start: 50 + start, end: 50 + Math.min(WORDS.length, start + 7), kind: "hit" }];
    const found = drawn(marks).flatMap(({ node }) => node.querySelectorAll("mark"));
    for (const mark of found) assert.equal(WORDS.slice(mark.dataset.start - 50).slice(0, mark.textContent.length), mark.textContent);
    assert.equal(found.map((mark) => mark.textContent).join("").replace(/\s/g, ""), WORDS.slice(start, start + 7).replace(/\s/g, ""));
  }
});

test("where a page begins a line says so, also within a list, and its name is no text", () => {
  const starts = [[50, "p. iv"], [50 + WORDS.indexOf("- blue") - 1, "p. 1"], [50 + WORDS.indexOf("prose"), "p. 2"]];
  const found = drawn([]);
  const boxes = boxed(found, (n) => pageBegun(starts, found[n - 1]?.start ?? 49, found[n].start));
  assert.deepEqual(boxes.map((box) => box.dataset.page ?? box.dataset.kind), ["p. iv", "heading", "list", "p. 1", "list", "table", "code", "p. 2", undefined]);
  assert.equal(boxes.map((box) => box.textContent).join("").replace(/\s/g, ""), WORDS.replace(/\s/g, ""));
  assert.equal(pageBegun(undefined, 0, 5), undefined);
});

test("a list and a table have a box each, and what is no row says its own direction", () => {
  const boxes = boxed(drawn([]));
  assert.deepEqual(boxes.map((box) => [box.tag, box.dataset.kind, box.children.filter((child) => child.tag === "p").length]), [
    ["p", "heading", 0], ["div", "list", 2], ["div", "table", 3], ["p", "code", 0], ["p", undefined, 0],
  ]);
  assert.deepEqual(boxes.map((box) => box.getAttribute("dir")), ["auto", null, "auto", "auto", "auto"]);
  assert.equal(boxes[0].getAttribute("aria-level"), "3");
});

test("the shallowest headings of a text come right below the pane's own, whatever their depth", () => {
  const level = (depth, top) => paragraphNode({ start: 0, text: "Sarn", kind: "heading", depth, words: [[0, 4]] }, [], top).getAttribute("aria-level");
  const top = shallowest([["heading", 0, 4, 3, []], ["bullet", 5, 9, 1, []], ["heading", 10, 14, 4, []]]);
  assert.deepEqual([level(3, top), level(4, top), level(1), level(3, shallowest([]))], ["3", "4", "3", "3"]);
});

test("a text of very many headings has a shallowest one", () => {
  assert.equal(shallowest(Array.from({ length: 500_000 }, (_, n) => ["heading", n, n, n === 7 ? 2 : 4])), 2);
});
