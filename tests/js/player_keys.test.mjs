// The keys of the player: each does what the list says, and none is taken from a field or a widget that uses it.
import { beforeEach, test } from "node:test";
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { KEYS, createKeys } from "../../assets/js/player/keys.js";
import { Element, keyEvent, openWindow } from "./browser.mjs";

let done;
let root;
let player;
let opened; // what is open beside the page: an explanation

class Made extends Element {
  children = [];
  classList = {};
  setAttribute() {}
  addEventListener() {}
  append(...children) {
    this.children.push(...children);
  }
  replaceChildren(...children) {
    this.children = children;
  }
  get words() {
    return this.textContent ?? this.children.map((each) => each.words).join("|");
  }
}

beforeEach(() => {
  openWindow();
  opened = null;
  Object.assign(document, { createElement: (tag) => new Made(tag), querySelector: () => opened });
  done = [];
  root = new Element();
  player = { root, idle: false };
  player.keys = createKeys(player);
  player.keys.on(Object.fromEntries(KEYS.map(({ act }) => [act, () => void done.push(act)])));
});

function press(key, about) {
  const event = keyEvent(key, about);
  document.dispatchEvent(event);
  return event;
}

test("every key of the table does one thing, and the list shows them all", () => {
  for (const { act, keys } of KEYS) {
    for (const key of keys) press(key, { inside: [root] });
    assert.deepEqual(done.splice(0), keys.map(() => act));
  }
  const list = player.keys.node.words;
  for (const { shown, does } of KEYS) assert.ok(list.includes(`${shown}|${does}`), does);
});

test("what the player's modules do with keys is in the table, and all of the table is done by one of them", () => {
  const folder = new URL("../../assets/js/player/", import.meta.url);
  const sources = readdirSync(folder).map((name) => readFileSync(new URL(name, folder), "utf8"));
  const acts = sources.flatMap((source) => [...source.matchAll(/player\.keys\.on\(\{([^}]*)\}/g)].flatMap(([, body]) => [...body.matchAll(/(\w+): /g)].map(([, act]) => act)));
  assert.deepEqual(acts.toSorted(), KEYS.map(({ act }) => act).toSorted());
  assert.equal(sources.filter((source) => source.includes('document.addEventListener("keydown"')).length, 1);
  assert.throws(() => player.keys.on({ dance: () => {} }), /dance/);
});

test("only the keys that do something here are listed", () => {
  const other = createKeys(player);
  other.on({ next: () => {} });
  assert.equal(other.node.words, "Keys|→|next step");
});

test("no key is taken in a field, and no arrow from a widget that moves by it; letters are", () => {
  for (const on of [new Element("textarea"), new Element("select")]) for (const { keys } of KEYS) press(keys[0], { on, inside: [root] });
  const tab = [new Element("div", "tab"), root];
  press("ArrowRight", { inside: tab });
  press(" ", { on: new Element("button") });
  assert.deepEqual(done, []);
  press("e", { inside: tab });
  press("f", { on: new Element("button") });
  assert.deepEqual(done, ["end", "stage"]);
});

test("the stepper's own slider leaves its arrows to the player", () => {
  const slider = Object.assign(new Element("input"), { type: "range" });
  press("ArrowRight", { on: slider, inside: [root] });
  press("ArrowRight", { on: slider });
  assert.deepEqual(done, ["next"]);
});

test("a switch that was just used leaves all keys but Space to the player", () => {
  const on = Object.assign(new Element("input"), { type: "checkbox" });
  for (const key of ["ArrowRight", "e", " "]) press(key, { on });
  assert.deepEqual(done, ["next", "end"]);
});

test("Home and End go to the first and last step from anywhere on the page, as the arrows step", () => {
  for (const key of ["Home", "End", "ArrowRight"]) press(key);
  assert.deepEqual(done, ["first", "last", "next"]);
});

test("only stepping repeats; modifiers are the browser's", () => {
  press("End", { ctrlKey: true });
  press("e", { repeat: true });
  press("f", { ctrlKey: true });
  press("ArrowLeft", { repeat: true });
  assert.deepEqual(done, ["previous"]);
});

test("Escape closes an explanation that is open, and nothing else; a key that did nothing is left alone", () => {
  opened = {};
  press("Escape");
  assert.deepEqual(done, []);
  opened = null;
  press("Escape");
  assert.deepEqual(done, ["leave"]);
  player.keys.on({ leave: () => false });
  assert.equal(press("Escape").defaultPrevented, false);
});

test("no key is taken by a player that is not in use, or is gone", () => {
  player.idle = true;
  press("ArrowRight");
  player.idle = false;
  root.isConnected = false;
  press("ArrowRight");
  root.isConnected = true;
  player.keys.destroy();
  press("ArrowRight");
  assert.deepEqual(done, []);
});

test("a switch above the player that was used by mouse gives up the focus; one used by keys, and what is elsewhere, keeps it", async () => {
  class Switch extends Element {
    closest(selector) {
      return this.above && selector === ".st-key-trace-switches" ? this : null;
    }
  }
  globalThis.Element = Element;
  const used = async (detail, above) => {
    const on = Object.assign(new Switch(), { above });
    document.activeElement = on;
    const event = Object.assign(new Event("click"), {});
    Object.defineProperties(event, { detail: { value: detail }, target: { value: on } });
    document.dispatchEvent(event);
    await new Promise((done) => setTimeout(done));
    return on.blurred;
  };
  assert.deepEqual([await used(1, true), await used(0, true), await used(1, false)], [true, false, false]);
});
