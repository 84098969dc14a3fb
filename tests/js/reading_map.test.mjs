// The reading map, as what it draws in order.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createMap } from "../../assets/js/player/reading_map.js";
import { openDocument } from "./document.mjs";

openDocument();
globalThis.window ??= {};

test("what a step put out is struck over what the same step read raw, and all that it brought has a dashed ring", () => {
  const [inks, drawn] = [{ paper: "paper", lost: "lost", raw: "raw", ink: "ink" }, []];
  const context = new Proxy({}, {
    get: (target, name) => target[name] ?? ((...given) => name === "fillRect" ? drawn.push([target.fillStyle, given[0]]) : name === "stroke" && target.dashes?.length && drawn.push(["dashed"])),
  });
  context.setLineDash = (dashes) => (context.dashes = dashes);
  const segment = (span, changes) => ({ span, changes });
  const picture = { segments: [segment([0, 100], [[0, "in"], [1, "out"]]), segment([200, 300], [[1, "in"]])], aims: { 1: { spans: [[200, 250], [300, 350]], fresh: true } } };
  const step = { raw: true, focus: [[0, 100]] };
  const frames = { kind: "net", picture, text: { chars: 400, landmarks: [], size: "" }, cells: [], marks: { evidence: [] }, steps: [step, step], building: 0, terms: {} };
  const map = createMap({ frames, at: 1, last: 1, root: { inks }, known: null, ends: () => false, settled: () => {} }, null);
  const canvas = map.node.querySelector("canvas.map");
  Object.getPrototypeOf(canvas).getContext = () => context; // the pattern has a canvas of its own
  map.draw(1);
  assert.ok(drawn.some(([what, from]) => what === "raw" && from === 0)); // also below its ring
  assert.deepEqual(drawn.map(([what]) => what).filter((what) => ["raw", "lost", "dashed"].includes(what)), ["raw", "raw", "lost", "dashed", "dashed"]);
});
