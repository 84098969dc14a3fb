// All steps under the map: which steps share a row, what each row has of the text, and which are not there yet.
import { test } from "node:test";
import assert from "node:assert/strict";
import { openDocument } from "./document.mjs";
import { createAllSteps, stepRowsOf, stripsOf } from "../../assets/js/player/all_steps.js";

const steps = [
  { say: "It read chunk 1.", where: "chunk 1", raw: true, focus: [[0, 400]] },
  { say: "It read chunk 2.", where: "chunk 2", raw: true, focus: [[400, 800]], through: [[0, 400]] },
  { say: "It answered.", where: "", raw: false, focus: [], through: [[0, 800]], mark: "answer" },
];

function opened(about = {}) {
  openDocument();
  const actions = {};
  const player = { frames: { steps, text: { chars: 1000 }, marks: { evidence: [[400, 500]] } }, staged: false, known: null, keys: { on: (more) => Object.assign(actions, more) }, root: globalThis.document.createElement("div"), ends: () => false, go: (step) => (player.at = step), ...about };
  const pane = createAllSteps(player, true, () => {});
  actions.allSteps();
  return { player, pane };
}

test("a step has a row of its own, and of very many several share one", () => {
  assert.deepEqual(stepRowsOf(3), [{ from: 0, to: 0 }, { from: 1, to: 1 }, { from: 2, to: 2 }]);
  const rows = stepRowsOf(3001);
  assert.ok(rows.length <= 120);
  assert.deepEqual([rows[0].from, rows.at(-1).to], [0, 3000]);
  assert.ok(rows.every(({ from }, n) => !n || from === rows[n - 1].to + 1));
});

test("a row has what its steps had raw, behind what they were shown, and opened without showing it", () => {
  assert.deepEqual(stripsOf(steps.slice(0, 2), 1000), { raw: [[0, 800]], through: [[0, 400]], opened: [] });
  assert.deepEqual(stripsOf([{ raw: false, focus: [[5, 9]] }], 1000), { raw: [], through: [], opened: [[5, 9]] });
});

test("the row of the step is marked, a press goes to its step, and the answer's place is shown with the end alone", () => {
  const { player, pane } = opened();
  pane.draw(1);
  const rows = [...pane.node.querySelectorAll(".step-row")];
  assert.deepEqual(rows.map((row) => row.className), ["step-row past", "step-row now", "step-row later"]);
  assert.equal(pane.node.querySelectorAll(".hides").length, 1);
  assert.equal(pane.node.querySelectorAll(".stated").length, 0);
  rows[0].dispatch("click");
  assert.equal(player.at, 0);
  player.ends = () => true;
  pane.draw(1);
  assert.equal(pane.node.querySelectorAll(".hides").length, 0);
  assert.equal(pane.node.querySelectorAll(".stated").length, 1);
});

test("of a row whose steps are not all there yet, only what was read so far is drawn", () => {
  const many = Array.from({ length: 240 }, (_, n) => ({ say: "", where: "", raw: true, focus: [[4 * n, 4 * n + 4]] }));
  const { pane } = opened({ frames: { steps: many, text: { chars: 960 }, marks: { evidence: [] } } });
  const wide = (at) => {
    pane.draw(at);
    return pane.node.querySelector(".now").querySelector(".raw").style.width;
  };
  assert.equal(parseFloat(wide(1)), 2 * parseFloat(wide(0)));
});
