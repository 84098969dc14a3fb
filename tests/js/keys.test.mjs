// The bench's keyboard shortcuts: which are taken, and when a key belongs to something else.
import { afterEach, beforeEach, test } from "node:test";
import assert from "node:assert/strict";
import { KEYS, listenToKeys } from "../../assets/js/annotate/keys.js";
import { KEYS as PLAYER_KEYS } from "../../assets/js/player/keys.js";
import { Element, keyEvent, openWindow } from "./browser.mjs";

let window;
let pressed;
let asleep;
let root;
let end;

beforeEach(() => {
  window = openWindow();
  pressed = [];
  asleep = false;
  root = new Element();
  const actions = { c: () => pressed.push("c"), "]": () => pressed.push("]"), Enter: () => pressed.push("Enter"), 1: () => pressed.push("1") };
  end = listenToKeys({ root, actions, letter: (upper) => pressed.push(`letter ${upper}`), asleep: () => asleep });
});

afterEach(() => end.leave(false));

function press(key, about) {
  const event = keyEvent(key, about);
  window.dispatchEvent(event);
  return event;
}

test("a key of the bench is taken, and nobody else gets it", () => {
  const later = [];
  window.addEventListener("keydown", () => later.push("heard"));
  const event = press("c");
  press("]");
  press("1");
  assert.deepEqual(pressed, ["c", "]", "1"]);
  assert.equal(event.defaultPrevented, true);
  assert.deepEqual(later, []);
});

test("the list names each key once, and the player has those that go to other steps", () => {
  const listed = KEYS.flatMap(([keys]) => keys.split(/ or | /));
  assert.equal(new Set(listed).size, listed.length);
  const bench = ["nextDecision", "nextPhase", "previousPhase", "nextKnown", "fate"];
  for (const { act, keys } of PLAYER_KEYS.filter((key) => bench.includes(key.act))) assert.ok(keys.some((key) => listed.includes(key)), act);
});

test("a key without a meaning is left alone", () => {
  const event = press("y");
  assert.equal(event.defaultPrevented, false);
  assert.deepEqual(pressed, []);
});

test("Shift with a letter opens the codes there; a lower letter does not", () => {
  press("B", { shiftKey: true });
  press("C", { shiftKey: true });
  assert.deepEqual(pressed, ["letter B", "letter C"]);
});

test("keys with Ctrl, Alt or the command key are the browser's", () => {
  for (const with_ of ["ctrlKey", "altKey", "metaKey"]) press("c", { [with_]: true });
  assert.deepEqual(pressed, []);
});

test("keys in a field, and in a list, belong to it", () => {
  for (const on of [new Element("input"), new Element("textarea"), new Element("select")]) press("c", { on });
  press("c", { inside: [new Element("div", "listbox")] });
  assert.deepEqual(pressed, []);
});

test("after a switch or the stepper was used by mouse, letters are shortcuts again", () => {
  press("c", { on: new Element("button", "radio") });
  press("c", { on: Object.assign(new Element("input"), { type: "checkbox" }) });
  press("c", { on: Object.assign(new Element("input"), { type: "range" }) });
  assert.deepEqual(pressed, ["c", "c", "c"]);
});

test("Enter on a button is the button's, and Enter held down does nothing", () => {
  press("Enter", { on: new Element("button") });
  press("Enter", { repeat: true });
  assert.deepEqual(pressed, []);
  press("Enter");
  assert.deepEqual(pressed, ["Enter"]);
});

test("Escape leaves a field of the panel, and no other one; Enter leaves a list", () => {
  const own = new Element("textarea");
  const other = new Element("textarea");
  const list = new Element("select");
  press("Escape", { on: own, inside: [root] });
  press("Escape", { on: other });
  press("Enter", { on: list, inside: [root] });
  assert.deepEqual([own.blurred, other.blurred, list.blurred], [true, false, true]);
  const words = new Element("textarea");
  press("Enter", { on: words, inside: [root] });
  assert.equal(words.blurred, false);
});

const listOf = (...values) => Object.assign(new Element("select"), { options: values.map((value) => ({ value })), value: "" });

test("in a list of the panel a letter is a key of the bench or the player, and never chooses", () => {
  const heard = [];
  window.addEventListener("keydown", ({ key }) => heard.push(key));
  for (const key of ["c", "j", "ArrowRight"]) {
    const list = listOf("", "correct", "just");
    const event = press(key, { on: list, inside: [root] });
    assert.deepEqual([event.defaultPrevented, list.blurred, list.value], [true, true, ""]);
  }
  press("B", { on: listOf("", "b"), inside: [root], shiftKey: true });
  assert.deepEqual([pressed, heard], [["c", "letter B"], ["j", "ArrowRight"]]);
});

test("in a list of the panel a digit chooses once and leaves it; arrows up and down are the list's", () => {
  const list = listOf("", "correct", "wrong");
  press("2", { on: list, inside: [root] });
  assert.deepEqual([list.value, list.blurred], ["wrong", true]);
  press("0", { on: list, inside: [root] });
  assert.equal(list.value, "");
  press("7", { on: list, inside: [root] });
  assert.equal(list.value, "");
  for (const key of ["ArrowDown", " ", "Tab", "End"]) assert.equal(press(key, { on: listOf("", "a"), inside: [root] }).defaultPrevented, false, key);
  assert.deepEqual(pressed, []);
});

test("nothing is taken while the codes are open, when the panel is gone, or after the end", () => {
  asleep = true;
  press("c");
  asleep = false;
  root.isConnected = false;
  press("c");
  root.isConnected = true;
  end.leave(false);
  press("c");
  assert.deepEqual(pressed, []);
});

test("without codes, Shift with a letter is left alone", () => {
  end.leave(false);
  end = listenToKeys({ root, actions: {}, letter: null, asleep: () => false });
  assert.equal(press("B", { shiftKey: true }).defaultPrevented, false);
});
