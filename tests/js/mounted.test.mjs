// What a component holds when Streamlit calls it twice and takes back the first call, as it does if newer data comes quickly.
import { test } from "node:test";
import assert from "node:assert/strict";

globalThis.window = new EventTarget();
const { tell } = await import("../../assets/js/player/bus.js");
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
