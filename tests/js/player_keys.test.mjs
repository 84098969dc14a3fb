// The keys of the player: each does what the list says.
import { afterEach, beforeEach, test } from "node:test";
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
  listeners = {};
  addEventListener(kind, listener) {
    this.listeners[kind] = listener;
  }
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
  player = { root };
  player.keys = createKeys(player);
  player.keys.on(Object.fromEntries(KEYS.map(({ act }) => [act, () => void done.push(act)])));
});
afterEach(() => player.keys.destroy());

function listed(keys) {
  keys.node.listeners.beforetoggle({ newState: "open" });
  return keys.node.words;
}

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
  const list = listed(player.keys);
  for (const { does } of KEYS) assert.ok(list.includes(`|${does}`), does);
  assert.ok(list.includes("→|next step") && list.includes("1 to 9|predict"));
});

test("what the player's modules do with keys is in the table, and all of the table is done by one of them", () => {
  const folder = new URL("../../assets/js/player/", import.meta.url);
  const sources = readdirSync(folder).map((name) => readFileSync(new URL(name, folder), "utf8"));
  const acts = sources.flatMap((source) => [...source.matchAll(/player\.keys\.on\(\{([^}]*)\}/g)].flatMap(([, body]) => [...body.matchAll(/(\w+): /g)].map(([, act]) => act)));
  assert.deepEqual(acts.toSorted(), KEYS.map(({ act }) => act).toSorted());
  const listening = sources.filter((source) => /(window|document)\.addEventListener\("keydown"/.test(source));
  assert.deepEqual(listening.map((source) => source.includes("export function joinKeys")), [true]);
  assert.throws(() => player.keys.on({ dance: () => {} }), /dance/);
});

test("only the keys that do something here are listed", () => {
  player.keys.destroy();
  player.keys = createKeys(player);
  player.keys.on({ next: () => {} });
  assert.equal(listed(player.keys), "Keys|→|next step");
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
