// Words on a net cover no name.
import { test } from "node:test";
import assert from "node:assert/strict";
import { boxesAt, freeBeside, freeBetween, overlaps, passes, wordsAt } from "../../assets/js/pictures/net_labels.js";

const node = (id, x, y, about = {}) => ({ id, x, y, width: 100, kind: "node", changes: [[0, "start"]], ...about });
const byId = new Map([node("a", 0, 0), node("b", 300, 0), node("c", 150, 0)].map((each) => [each.id, each]));

test("a label between two entities gives way to a box in the middle", () => {
  const taken = boxesAt(byId, 0);
  const box = freeBetween([50, 0], [250, 0], [90, 20], taken);
  assert.ok(box);
  assert.ok(!taken.some((other) => overlaps(box, other)));
  assert.equal(freeBetween([50, 0], [250, 0], [90, 200], taken), null);
});

test("a line goes through a box in its way, not through one beside it or beyond its end", () => {
  const box = [100, -14, 200, 14];
  assert.deepEqual([[[0, 0], [300, 0]], [[0, -60], [300, 60]], [[150, -50], [150, 50]]].map((ends) => passes(...ends, box)), [true, true, true]);
  assert.deepEqual([[[0, 0], [90, 0]], [[0, 20], [300, 20]], [[0, -60], [300, -40]], [[250, -50], [250, 50]]].map((ends) => passes(...ends, box)), [false, false, false, false]);
});

test("the word beside an entity takes a side that is free", () => {
  const below = [[-60, 20, 60, 80]];
  const box = freeBeside(byId.get("a"), [60, 18], below);
  assert.ok(box[3] <= 0);
  assert.equal(freeBeside(byId.get("a"), [60, 18], [[-500, -500, 500, 500]]), null);
});

test("the pointer on a relation finds its whole words, on a name it finds none", () => {
  const edges = [{ from: "a", to: "b", words: "a keeps b", changes: [[2, "there"]] }];
  assert.equal(wordsAt({ x: 75, y: 3 }, byId, edges, 2), "a keeps b");
  assert.equal(wordsAt({ x: 75, y: 40 }, byId, edges, 2), "");
  assert.equal(wordsAt({ x: 75, y: 3 }, byId, edges, 1), "");
  assert.equal(wordsAt({ x: 20, y: 3 }, byId, edges, 2), "");
  const twice = [{ from: "a", to: "b", said: [["a keeps b", "wrote:1", 2, 4], ["a sold b", "wrote:2", 3, 4], ["a kept b, then sold it", "wrote:3", 4, null]], changes: [[2, "there"]] }];
  assert.deepEqual([2, 3, 4].map((at) => wordsAt({ x: 75, y: 3 }, byId, twice, at)), ["a keeps b", "a keeps b · a sold b", "a kept b, then sold it"]);
});
