// Searching and unfolding the nodes of a graph, and pairing the steps of two readings.
import { test } from "node:test";
import assert from "node:assert/strict";
import { stepBeside } from "../../assets/js/compare/between.js";
import { apart, nodesAbove, nodesWith, unfoldedBy } from "../../assets/js/pictures/graph_ids.js";
import { wordsForNothing } from "../../assets/js/pictures/graph_canvas.js";
import { TREE, beside, outside, roomForRing, stacked, withRoom, wordsBelow } from "../../assets/js/pictures/graph_marks.js";
import { ringWide } from "../../assets/js/pictures/memory_chart.js";
import { ringOnMap, stretchesCovered, withinRing } from "../../assets/js/player/reading_map.js";

const picture = { names: { 1: "part 1", 2: "part 1.1", 9: "Rusk" }, texts: { 2: "The Keeper's lamp" } };

test("a node is found by its name or its text, in any case; nothing typed finds none", () => {
  assert.deepEqual(nodesWith(" PART 1", picture), ["1", "2"]);
  assert.deepEqual(nodesWith("keeper", picture), ["2"]);
  assert.deepEqual(nodesWith("rusk", picture), ["9"]);
  assert.deepEqual(nodesWith("  ", picture), []);
});

test("a stub is unfolded by its node, or by the parent of a row of neighbours", () => {
  const parents = { 7: "3", 8: "3", 9: "3", 3: "0" };
  assert.equal(unfoldedBy("7+", parents), "7");
  assert.equal(unfoldedBy("7-9+", parents), "3");
  assert.equal(unfoldedBy("0-4+", parents), "top");
  assert.deepEqual(nodesAbove("7", parents), ["3", "0"]);
  assert.deepEqual(nodesAbove("0", parents), []);
});

test("a step that only cuts the text is told by its parts, where no node is drawn yet", () => {
  assert.match(wordsForNothing({ cuts: [0, 40, 90] }), /^3 parts so far, and nothing is written of them yet/);
  assert.equal(wordsForNothing({}, [{ number: 1 }, { number: 2 }]), "2 segments so far, and no name is drawn yet: those of each segment come at its own step.");
  assert.equal(wordsForNothing({}), "Nothing has been drawn yet at this step.");
});

test("what lies beyond an edge of the view is outside, what reaches in is not", () => {
  const view = { left: 0, right: 100 };
  assert.equal(outside(view, -20, -1), true);
  assert.equal(outside(view, -20, 5), false);
  assert.equal(outside(view, 101, 300), true);
  assert.equal(outside(view, -50, 300), false);
});

test("two readings step together by number where their steps are the same, else by their share of the way", () => {
  assert.equal(stepBeside(7, [10, 10], true), 7);
  assert.deepEqual([0, 2, 5, 9, 12].map((step) => stepBeside(step, [10, 19], false)), [0, 4, 10, 18, 18]);
  assert.deepEqual([0, 9, 18].map((step) => stepBeside(step, [19, 10], false)), [0, 5, 9]);
  assert.equal(stepBeside(0, [1, 8], false), 7);
});

test("a picture smaller than its panel is drawn apart, a larger one is left as it is", () => {
  assert.equal(apart([0, 100, 400], 200, 3), 1.5);
  assert.equal(apart([0, 100, 400], 4000, 3), 3);
  assert.equal(apart([0, 400], -50, 3), 1);
  assert.equal(apart([7], 500, 3), 1);
});

test("the numbers of moves over one edge stand over one another, of many the first two and the newest", () => {
  assert.deepEqual(stacked(["3", "8"], 4), ["8", "3"]);
  assert.deepEqual(stacked(["1", "4", "7", "9"], 4), ["9", "7", "4", "1"]);
  assert.deepEqual(stacked(["1", "4", "7", "9", "12", "15"], 4), ["15", "⋮", "4", "1"]);
  assert.deepEqual([stacked(["1", "4"], 2), stacked(["1", "4", "7"], 2)], [["4", "1"], ["7", "⋮"]]);
});

test("numbers that would lie over newer ones are left out", () => {
  const at = (left, number) => ({ left, wide: 23, top: 0, high: 22, labels: ["1", number] });
  const shown = withRoom([at(0, "2"), at(10, "12"), at(40, "9"), { ...at(10, "3"), top: 100 }]);
  assert.deepEqual(shown.map(({ labels }) => labels[1]), ["12", "9", "3"]);
});

test("below nodes stand where the reader is, what was refused, and the names that have no room in their boxes, as far as the walk came", () => {
  const node = (id, about) => ({ id, kind: "node", name: `part ${id}`, leaf: true, labels: [[0, ""]], changes: [[0, "built"], [1, "unseen"]], ...about });
  const nodes = [
    node("2.1"), node("2.2", { changes: [[0, "unseen"], [3, "offered"]] }), node("2.3", { changes: [[0, "unseen"], [4, "back"]] }), node("2.4", { changes: [[0, "unseen"], [5, "visited"]] }),
    node("2", { leaf: false, labels: [[0, "2"]], changes: [[0, "visited"]] }),
  ];
  const words = (at, about) => wordsBelow(nodes, at, { here: null, refused: [], ink: {}, ...about }).map((each) => each.words);
  assert.deepEqual(words(5, { here: "2.4" }), ["2.4 · here, now", "2.3", "2.2"]);
  assert.deepEqual(words(4, { here: "2", refused: [{ id: "2.3", words: "refused" }, { id: "2", words: "going up refused" }] }), ["2.3 · ✕ refused", "✕ going up refused", "2.2"]);
  assert.deepEqual([words(2, { here: "2" }), words(0)], [[], []]);
});

test("the ring around the current node lies over no neighbour, and a part that was not opened is not drawn as one that was compared", () => {
  const box = (x, y = 0) => ({ id: `${x} ${y}`, x, y, width: 40 });
  const ends = (gap, each) => each.x + each.width / 2 + gap + 1.5; // its line is 3 wide
  for (const apart of [4, 5, 7]) {
    const next = box(40 + apart);
    assert.ok(ends(roomForRing(box(0), [box(0), next]), box(0)) <= next.x - next.width / 2, String(apart));
  }
  assert.deepEqual([roomForRing(box(0), [box(0), box(44, 90)]), roomForRing(box(0), [box(0), box(60)]), roomForRing(box(0), [])], [6, 6, 6]);
  const borders = ["offered", "unseen"].map((state) => String(TREE.look({ kind: "node" }, state, false, {}).shapeProperties.borderDashes));
  assert.notEqual(...borders);
});

test("the word beside the current node lies over no other node, and is whole in view", () => {
  const sides = { left: -200, right: 200 };
  const here = { x: 0, y: 0, width: 40 };
  const [right, left, below] = [{ x: 60, y: 0, width: 40 }, { x: -60, y: 0, width: 40 }, { x: 60, y: 90, width: 40 }];
  assert.deepEqual(beside(here, 60, [here, below], { sides }), [34, 0]);
  assert.deepEqual(beside(here, 60, [here, right], { sides }), [-94, 0]);
  const [x, y] = beside(here, 60, [here, right, left], { sides });
  assert.ok(x > 24 && y < -21); // right of the numbers, above the node
  assert.deepEqual(beside(here, 60, [here], { sides: { left: -200, right: 90 } }), [-94, 0]);
  assert.equal(beside(here, 60, [here, left], { sides: { left: -200, right: 80 } })[0], -90);
  const numbers = { left: 0, right: 40, top: -60, bottom: -30 };
  assert.ok(beside(here, 60, [here, right, left], { sides, taken: [numbers] })[0] < -60); // left of the numbers
});

test("no joint shows on the map between stretches that are alike", () => {
  const cells = [[0, 50, [[0, 2]]], [52, 90, [[1, 2]]], [98, 120, [[0, 2]]], [120, 140, [[0, 1]]]];
  assert.deepEqual(stretchesCovered(cells, 1, 5), [[0, 90, 2], [98, 120, 2], [120, 140, 1]]);
  assert.deepEqual(stretchesCovered(cells, 0, 5), [[0, 50, 2], [98, 120, 2], [120, 140, 1]]);
});

test("the ring on the map is whole, with its place within it, at either end of the text, too", () => {
  assert.deepEqual(ringOnMap(100, 40, 600), { left: 97, wide: 46 });
  assert.deepEqual(ringOnMap(0, 4, 600), { left: 1.5, wide: 10 });
  assert.deepEqual(ringOnMap(596, 4, 600), { left: 588.5, wide: 10 });
  const solid = (from, wide) => withinRing(from, wide, ringOnMap(from, wide, 600));
  assert.deepEqual([solid(100, 40), solid(0, 80), solid(540, 60)], [[100, 40], [4.5, 75.5], [540, 55.5]]); // never beyond its own end
  assert.deepEqual([solid(0, 4), solid(596, 4)], [[4.5, 4], [591.5, 4]]);
  assert.deepEqual(ringOnMap(0, 600, 600), { left: 1.5, wide: 597 });
});

test("the ring around a memory's bar ends before the next bar, where bars are wide enough to be told apart", () => {
  for (const wide of [10, 20, 80]) assert.ok(ringWide(wide) / 2 + 1.25 <= wide / 2 + Math.min(3, wide / 4) / 2);
  assert.equal(ringWide(2), 7);
});
