// The reading that plays on Home: how long a step stays, and where it begins.
import { test } from "node:test";
import assert from "node:assert/strict";
import { firstDrawn, firstShown, secondsOf } from "../../assets/js/home/showing.js";

test("a step stays as long as its sentence takes to read, and the end longest", () => {
  assert.equal(secondsOf("Short.", false), 3);
  assert.ok(secondsOf("x".repeat(120), false) > 2 * secondsOf("Short.", false));
  assert.ok(secondsOf("It found its answer.", true) > secondsOf("x".repeat(100), false));
});

test("it begins with the first decision, when all that was built is there", () => {
  const picture = { nodes: [{ changes: [[1, "unseen"]] }] };
  const steps = new Array(7).fill({ say: "It went on." });
  assert.equal(firstShown({ picture, building: 4, steps }), 4);
  assert.equal(firstShown({ picture, building: 0, steps }), 1); // without a building, where the picture begins
  assert.equal(firstShown({ picture: null, building: 9, steps }), 6);
});

test("the building begins where its picture does", () => {
  const nodes = [{ changes: [[3, "unseen"], [5, "visited"]] }, { changes: [[1, "unseen"]] }, { changes: [] }];
  assert.equal(firstDrawn({ nodes }), 1);
  assert.equal(firstDrawn({ nodes: [] }), 0);
  assert.equal(firstDrawn({ pages: [] }), 0);
  assert.equal(firstDrawn(null), 0);
});
