import assert from "node:assert/strict";
import test from "node:test";

import { roomInWindow } from "../../assets/js/player/fill_window.js";

test("picture and text end where the window ends, with the legend where there is room for it", () => {
  assert.equal(roomInWindow({ top: 449, window: 720, legend: 22 }), 263);
  assert.equal(roomInWindow({ top: 475, window: 900, legend: 22 }), 395);
});

test("they are never lower than what can be read", () => {
  assert.equal(roomInWindow({ top: 700, window: 720, legend: 22 }), 200);
});
