// Where a graph's panel looks, and which place of the picture its small map shows.
import { test } from "node:test";
import assert from "node:assert/strict";
import { LEGIBLE, LEGIBLE_PART, allInView, middleOfAll, reachOf, scaleOnStage, spreadOf, within } from "../../assets/js/pictures/graph_camera.js";
import { placeOn } from "../../assets/js/pictures/small_map.js";

const BOX = { left: 0, right: 1000, top: 0, bottom: 200 };
const HALF = { x: 150, y: 150 };

test("nothing beyond the picture is shown, and what fits is in the middle", () => {
  assert.deepEqual(within({ x: 20, y: 20 }, BOX, HALF), { x: 150, y: 100 });
  assert.deepEqual(within({ x: 990, y: 20 }, BOX, HALF), { x: 850, y: 100 });
  assert.deepEqual(within({ x: 400, y: 20 }, BOX, HALF), { x: 400, y: 100 });
});

test("a picture has no rest to drag for while all its boxes are in view, however little is around them", () => {
  const nodes = [{ x: 60, y: 30, width: 100 }, { x: 540, y: 270, width: 100 }];
  assert.equal(allInView(nodes, { left: 10, right: 590, top: 10, bottom: 290 }), true);
  for (const cut of [{ left: 11 }, { right: 589 }, { top: 11 }, { bottom: 289 }]) assert.equal(allInView(nodes, { left: 10, right: 590, top: 10, bottom: 290, ...cut }), false);
});

test("a node out of view is brought in with what is around it; one in view moves nothing", () => {
  const node = { x: 600, y: 100, width: 40 };
  const near = reachOf(node, undefined, { at: { x: 150, y: 100 }, box: BOX, half: HALF });
  assert.deepEqual(near, { x: 600 + 40 / 2 + 96 - 150, y: 100 });
  assert.deepEqual(reachOf(node, undefined, { at: { x: 620, y: 100 }, box: BOX, half: HALF }), { x: 620, y: 100 });
});

test("a point of the small map is a place of the picture", () => {
  assert.deepEqual(placeOn(BOX, { x: 0.25, y: 0.5 }), { x: 250, y: 100 });
});

test("on Stage all of a picture is shown where its labels can be read, otherwise a part of it as high as it is", () => {
  const letters = 24 / 15;
  assert.equal(scaleOnStage(1.2, letters, 1.3), 1.2);
  assert.equal(scaleOnStage(LEGIBLE, letters, 1.3), LEGIBLE);
  assert.equal(scaleOnStage(LEGIBLE - 0.01, letters, 1.3), 1.3);
  assert.equal(scaleOnStage(LEGIBLE - 0.01, letters, 9), letters);
  assert.equal(scaleOnStage(0.1, letters, 0.2), LEGIBLE_PART);
  assert.equal(scaleOnStage(9, letters, 9), 1.5 * letters);
});

test("of what a step is about as much is shown as lies near its segment, which is surely in view", () => {
  const segment = { x: 500, y: 100, width: 40 };
  const named = [{ x: 420, y: 100 }, { x: 640, y: 90 }, { x: 5, y: 100 }];
  assert.deepEqual(middleOfAll(named, segment, { box: BOX, half: HALF }), { x: 530, y: 100 });
  const beside = middleOfAll([{ x: 700, y: 100 }], segment, { box: BOX, half: HALF });
  assert.ok(Math.abs(beside.x - segment.x) < HALF.x - segment.width / 2);
});

test("a small picture is enlarged as far as it may be before it is drawn apart", () => {
  const nodes = [{ x: 0, y: 0 }, { x: 100, y: 50 }];
  const box = { left: -50, right: 150, top: -50, bottom: 100 };
  assert.deepEqual(spreadOf(nodes, box, { x: 400, y: 300 }, 2), { x: 1, y: 1 });
  assert.ok(spreadOf(nodes, box, { x: 400, y: 300 }).x > 1);
});

test("nodes are drawn apart no further than the panel shows at the scale on Stage", () => {
  const nodes = [{ x: 0, y: 0 }, { x: 2000, y: 100 }];
  const box = { left: -50, right: 2050, top: -50, bottom: 150 };
  assert.equal(spreadOf(nodes, box, { x: 400, y: 300 }, 1.6, 1.5).y, 1);
  assert.ok(spreadOf(nodes, box, { x: 400, y: 300 }).y > 1);
});
