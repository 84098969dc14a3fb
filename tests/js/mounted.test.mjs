// What a component holds when Streamlit calls it twice and takes back the first call, as it does if newer data comes quickly.
import { test } from "node:test";
import assert from "node:assert/strict";

globalThis.window = new EventTarget();
const { tell } = await import("../../assets/js/player/bus.js");
const { LEAVING } = await import("../../assets/js/player/leaving.js");
const link = (await import("../../assets/js/player/link.js")).default;

function called(parentElement, sent) {
  return link({ data: { run: "r1", hears: true, quiet: false }, parentElement, setStateValue: (name, value) => sent.push([name, value]) });
}

test("a call that is taken back leaves the component as it is while its element is on the page", () => {
  const [element, sent] = [{ isConnected: true }, []];
  const takeBack = called(element, sent);
  called(element, sent);
  takeBack();
  tell("r1", "settled", { at: 3 });
  assert.deepEqual(sent, [["at", 3]]);
});

test("a component ends when its element has left the page", () => {
  const [element, sent] = [{ isConnected: true }, []];
  const takeBack = called(element, sent);
  element.isConnected = false;
  takeBack();
  tell("r1", "settled", { at: 4 });
  assert.deepEqual(sent, []);
});

test("whether the end is hidden is reported with the step, once until it changes", () => {
  const [element, sent] = [{ isConnected: true }, []];
  const takeBack = called(element, sent);
  tell("r1", "settled", { at: 0, hides: true });
  tell("r1", "settled", { at: 1, hides: true });
  tell("r1", "settled", { at: 1, hides: false });
  assert.deepEqual(sent, [["at", 0], ["hides", true], ["at", 1], ["at", 1], ["hides", false]]);
  element.isConnected = false;
  takeBack();
});

// A click on a link, or on what has none.
function click(localName) {
  const event = new Event("click");
  event.composedPath = () => [{ localName: "span" }, { localName }];
  window.dispatchEvent(event);
}

test("while the page is being left nothing is said, and if it stays, it is said later", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout", "Date"], now: 1_000_000 });
  for (const leave of [() => click("a"), () => window.dispatchEvent(new Event("popstate"))]) {
    const [element, sent] = [{ isConnected: true }, []];
    const takeBack = called(element, sent);
    leave();
    tell("r1", "settled", { at: 5 });
    t.mock.timers.tick(LEAVING - 1);
    assert.deepEqual(sent, []);
    t.mock.timers.tick(1);
    assert.deepEqual(sent, [["at", 5]]);
    leave();
    tell("r1", "settled", { at: 6 });
    element.isConnected = false;
    takeBack();
    t.mock.timers.tick(2 * LEAVING);
    assert.deepEqual(sent, [["at", 5]]);
  }
});

test("a click on anything but a link holds nothing back", () => {
  const [element, sent] = [{ isConnected: true }, []];
  called(element, sent);
  click("button");
  tell("r1", "settled", { at: 7 });
  assert.deepEqual(sent, [["at", 7]]);
});
