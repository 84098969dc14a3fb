// The tour of the Trace page: which stops it has, when it comes by itself, where its card stands, and what keys do.
import { test } from "node:test";
import assert from "node:assert/strict";
import { placeBeside, scrollToSee } from "../../assets/js/tour/beside.js";
import { TOUR_STOPS, decisionNear, stopsHere, tourComes } from "../../assets/js/tour/stops.js";

const chose = { decision: { by_model: true, options: [{}, {}] } };
const ruled = { decision: { by_model: false, options: [{}] } };
const noted = { decision: { by_model: true, options: [] } };

test("it begins at a first visit, is offered to who came for a step, and never comes again", () => {
  const came = (about) => tourComes({ seen: false, live: false, staged: false, named: false, ...about });
  assert.equal(came({}), "begun");
  assert.equal(came({ named: true }), "offered");
  for (const about of [{ seen: true }, { live: true }, { staged: true }]) assert.deepEqual([came(about), came({ ...about, named: true })], ["", ""]);
});

test("a stop whose thing is not on the page is left out, and the decision where there is none", () => {
  const here = { frames: { steps: [{}, chose] }, at: 0, ends: () => true, root: { querySelector: (selector) => selector } };
  globalThis.document = { querySelector: (selector) => selector };
  const titles = (player, missing) => stopsHere(TOUR_STOPS, player, (found) => found !== missing).map(({ title }) => title);
  assert.equal(titles(here, "").length, 8);
  assert.equal(titles(here, ".map-box").includes("Reading map"), false);
  assert.equal(titles({ ...here, frames: { steps: [{}, ruled] } }, "").includes("The decision"), false);
  assert.equal(titles({ ...here, ends: () => false }, "").includes("The decision"), false); // it is later, and what is later is hidden
});

test("a decision is shown at this step or the nearest before it, else at a later one, if later ones are shown", () => {
  assert.equal(decisionNear([chose, {}, ruled, noted], 3, true), 0);
  assert.equal(decisionNear([{}, chose, chose], 2, true), 2);
  assert.equal(decisionNear([{}, {}, chose], 1, true), 2);
  assert.equal(decisionNear([{}, {}, chose], 1, false), null);
});

const box = (left, top, width, height) => ({ left, top, width, height, right: left + width, bottom: top + height });
const card = { width: 300, height: 200 };
const wide = { width: 1400, height: 900 };

test("the card stands below, above or beside what it speaks of, and covers none of it where there is room", () => {
  assert.deepEqual(placeBeside(box(100, 50, 400, 100), card, wide), { left: 100, top: 162 });
  assert.deepEqual(placeBeside(box(1300, 600, 80, 250), card, wide), { left: 1088, top: 388 });
  assert.deepEqual(placeBeside(box(0, 20, 700, 870), card, wide), { left: 712, top: 20 });
  assert.deepEqual(placeBeside(box(700, 20, 690, 870), card, wide), { left: 388, top: 20 });
  assert.deepEqual(placeBeside(box(0, 100, 390, 2000), card, { width: 390, height: 844 }), { left: 12, top: 632 });
});

test("the card goes out of the window with what it speaks of, at both ends", () => {
  assert.deepEqual(placeBeside(box(100, -60, 400, 50), card, wide), { left: 100, top: 2 });
  assert.deepEqual(placeBeside(box(100, -900, 400, 100), card, wide), { left: 100, top: -788 });
  assert.deepEqual(placeBeside(box(100, 1300, 400, 100), card, wide), { left: 100, top: 1088 });
});

test("the page scrolls no further than is needed to see both, and to the top of what is too tall", () => {
  const how = { height: 900, head: 100 };
  assert.equal(scrollToSee(box(0, 200, 100, 100), card, how), 0);
  assert.equal(scrollToSee(box(0, 40, 100, 100), card, how), -72);
  assert.equal(scrollToSee(box(0, 800, 100, 60), card, how), 184);
  assert.equal(scrollToSee(box(0, 500, 100, 2000), card, how), 388);
});
