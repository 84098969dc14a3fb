// Nothing is shown that is later than the step, unless the end is shown: the switch, the stepper's marks, the table of steps.
import { test } from "node:test";
import assert from "node:assert/strict";
import { keyEvent, openWindow } from "./browser.mjs";
import { createEnding, endIsShown } from "../../assets/js/player/ending.js";
import { createKeys } from "../../assets/js/player/keys.js";
import { markAt, stepsWith } from "../../assets/js/player/steps.js";

const steps = ["write", "look", "back", "raw", "answer"].map((mark, n) => ({ mark, say: `step ${n} says`, where: "", reasons: [] }));

test("a hidden end is shown at the last step, and while the reading goes on; an end that is not hidden always", () => {
  const shown = (about) => endIsShown({ hides: true, at: 1, last: 4, live: false, ...about });
  assert.equal(shown({}), false);
  assert.equal(shown({ at: 4 }), true);
  assert.equal(shown({ live: true }), true);
  assert.equal(shown({ hides: false }), true);
  assert.equal(shown({ hides: false, bound: true }), false);
});

test("the stepper's marks of later steps are plain while the end is hidden", () => {
  const marks = (at, ends) => steps.map((_, n) => markAt(steps, n, at, ends));
  assert.deepEqual(marks(2, false), ["write", "look", "back", "look", "look"]);
  assert.deepEqual(marks(2, true), steps.map(({ mark }) => mark));
});

test("the table lists and finds no step after the last that may be shown", () => {
  assert.deepEqual(stepsWith("", steps, {}, 2), [0, 1, 2]);
  assert.deepEqual(stepsWith("says", steps, {}, 1), [0, 1]);
  assert.deepEqual(stepsWith("step 4", steps, {}, 3), []);
  assert.deepEqual(stepsWith("step 4", steps, {}), [4]);
});

function switched(hides) {
  const window = openWindow();
  const attributes = () => ({ classList: {}, setAttribute() {}, append() {}, replaceChildren() {}, addEventListener() {}, matches: () => false });
  Object.assign(document, { createElement: attributes, documentElement: { dataset: {} } });
  window.location = { href: "http://host/Trace?run=r1&at=2&end=hidden" };
  window.history = { state: null, replaceState: (state, title, url) => (window.location.href = String(url)) };
  const player = { at: 1, last: 4, reach: 4, frames: { live: false }, root: { isConnected: true, querySelectorAll: () => [] } };
  player.keys = createKeys(player);
  let drawn = 0;
  const ending = createEnding(player, { offered: true, hides }, () => (drawn += 1));
  return { ending, player, window, drawn: () => drawn };
}

test("the key e shows the end and hides it again, in the address too", () => {
  const { ending, player, window, drawn } = switched(true);
  const end = () => new URL(window.location.href).searchParams.get("end");
  ending.draw();
  assert.equal(document.documentElement.dataset.end, "hidden");
  document.dispatchEvent(keyEvent("e"));
  ending.draw();
  assert.deepEqual([ending.shown(), ending.hides(), end(), drawn()], [true, false, null, 1]);
  assert.equal(document.documentElement.dataset.end, "shown");
  document.dispatchEvent(keyEvent("e"));
  assert.deepEqual([ending.shown(), end()], [false, "hidden"]);
  player.reach = 2; // what comes after step 3 is still to be predicted
  document.dispatchEvent(keyEvent("e"));
  ending.draw();
  assert.deepEqual([ending.shown(), ending.button.hidden, drawn()], [false, true, 2]);
  player.reach = player.at = 4;
  assert.equal(ending.shown(), true);
  ending.destroy();
  player.keys.destroy();
  document.dispatchEvent(keyEvent("e"));
  assert.equal(drawn(), 2);
  assert.equal(document.documentElement.dataset.end, undefined);
});
