// Back and Forward within a reading that is shown already: which step the player goes to.
import { test } from "node:test";
import assert from "node:assert/strict";

const window = Object.assign(new EventTarget(), { location: { href: "http://it/Trace?run=r1&at=3", pathname: "/Trace" } });
globalThis.window = window;
const { stepInAddress, whenNavigated } = await import("../../assets/js/player/navigated.js");

function goBackTo(address) {
  window.location.href = `http://it${address}`;
  window.location.pathname = address.split("?")[0];
  window.dispatchEvent(new Event("popstate"));
}

test("Back to another step of the reading goes there, and nowhere once the player is gone", () => {
  const steps = [];
  const stop = whenNavigated("r1", (step) => steps.push(step));
  goBackTo("/Trace?run=r1&at=9");
  goBackTo("/Trace?run=r2&at=4");
  goBackTo("/Compare?run=r1&at=5");
  goBackTo("/Trace?run=r1");
  assert.deepEqual(steps, [8]);
  stop();
  goBackTo("/Trace?run=r1&at=2");
  assert.deepEqual(steps, [8]);
});

test("what is no step in the address is none", () => {
  for (const [at, step] of [["1", 0], ["0", null], ["-2", null], ["2.5", null], ["", null], ["9".repeat(9), null]]) {
    window.location.href = `http://it/Trace?run=r1&at=${at}`;
    assert.equal(stepInAddress("r1"), step);
  }
});
