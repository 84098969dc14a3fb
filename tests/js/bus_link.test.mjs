// Messages between panes, and between the player and Python.
import { beforeEach, test } from "node:test";
import assert from "node:assert/strict";
import { hear, tell } from "../../assets/js/player/bus.js";
import link from "../../assets/js/player/link.js";
import { openWindow } from "./browser.mjs";

beforeEach(openWindow);

test("a listener hears its own reading, and the kinds it has a handler for", () => {
  const heard = [];
  const end = hear("one", { at: ({ at, by }) => heard.push([at, by]) });
  tell("one", "at", { at: 3, by: "lock" });
  tell("two", "at", { at: 4 });
  tell("one", "settled", { at: 5 });
  assert.deepEqual(heard, [[3, "lock"]]);
  end();
  tell("one", "at", { at: 6 });
  assert.equal(heard.length, 1);
});

test("a message's details cannot replace its reading or kind", () => {
  const heard = [];
  hear("one", { at: ({ run, kind }) => heard.push([run, kind]), go: () => heard.push("go") });
  tell("one", "at", { run: "two", kind: "go" });
  assert.deepEqual(heard, [["one", "at"]]);
});

function mounted(data, parentElement = {}) {
  const said = [];
  const received = [];
  hear(data.run, { sent: ({ what }) => received.push(what) });
  const end = link({ data, parentElement, setStateValue: (name, value) => said.push([name, value]) });
  return { said, received, end, parentElement };
}

test("Python hears where the position settled, and the player gets what Python sends", () => {
  const { said, received } = mounted({ run: "one", hears: true });
  assert.deepEqual(received, [{ run: "one", hears: true }]);
  tell("one", "settled", { at: 7 });
  tell("two", "settled", { at: 8 });
  assert.deepEqual(said, [["at", 7]]);
});

test("that the end is shown is reported where Python takes it to be hidden, also if nothing was heard before", () => {
  const { said } = mounted({ run: "one", hears: true, hides: true });
  tell("one", "settled", { at: 0, hides: false });
  tell("one", "settled", { at: 1, hides: false });
  assert.deepEqual(said, [["at", 0], ["hides", false], ["at", 1]]);
});

test("a link that does not listen stays silent, a quiet one reports requests only", () => {
  const silent = mounted({ run: "one" });
  tell("one", "settled", { at: 7 });
  tell("one", "want", { what: { open: ["2"] } });
  assert.deepEqual(silent.said, []);
  const quiet = mounted({ run: "two", hears: true, quiet: true });
  tell("two", "settled", { at: 7 });
  tell("two", "want", { what: { open: ["2"] } });
  assert.deepEqual(quiet.said.map(([name]) => name), ["want"]);
});

test("each request has a higher number than the one before, and keeps what was requested earlier", () => {
  const { said } = mounted({ run: "one", hears: true });
  tell("one", "want", { what: { stretches: [1, 2] } });
  tell("one", "want", { what: { open: ["7"] } });
  const [[, first], [, second]] = said;
  assert.deepEqual(first.stretches, [1, 2]);
  assert.deepEqual([second.stretches, second.open], [[1, 2], ["7"]]);
  assert.equal(second.number, first.number + 1);
  assert.ok(first.number > 1e12); // starts at the time, so that no earlier answer is taken for it
});

test("redrawn, it continues its numbers; a player that is mounted later gets what was sent", () => {
  const { said, received, parentElement } = mounted({ run: "one", hears: true });
  tell("one", "want", { what: { open: ["1"] } });
  link({ data: { run: "one", hears: true, number: 5 }, parentElement, setStateValue: (name, value) => said.push([name, value]) });
  tell("one", "want", { what: { open: ["2"] } });
  assert.equal(said.length, 2);
  assert.equal(said[1][1].number, said[0][1].number + 1);
  received.length = 0;
  tell("one", "ready");
  assert.deepEqual(received, [{ run: "one", hears: true, number: 5 }]);
});

test("mounted for another reading, or ended, it no longer listens to the first", () => {
  const { said, parentElement } = mounted({ run: "one", hears: true });
  const end = link({ data: { run: "two", hears: true }, parentElement, setStateValue: (name, value) => said.push([name, value]) });
  tell("one", "settled", { at: 1 });
  tell("two", "settled", { at: 2 });
  end();
  tell("two", "settled", { at: 3 });
  assert.deepEqual(said, [["at", 2]]);
});
