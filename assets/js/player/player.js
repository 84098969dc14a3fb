// The player: all panes of one reading, showing one step, `at`. Stepping happens here; Python learns where it settled.
import { createAlgorithm } from "./algorithm.js";
import { createAllSteps } from "./all_steps.js";
import { hear, tell } from "./bus.js";
import { calm, el, onRecolour, renewInks } from "./dom.js";
import { Decision } from "./decision.js";
import { createEnding } from "./ending.js";
import { endWithWindow, fillWindow, watchSize } from "./fill_window.js";
import { createFollowButton } from "./follow_button.js";
import { createKeys } from "./keys.js";
import { listenForJumps } from "./jumps.js";
import { createLifeline } from "./lifeline.js";
import { whenNavigated } from "./navigated.js";
import { inAddress, placeInAddress, setInAddress } from "./page_address.js";
import { PICTURES } from "../pictures/kinds.js";
import { Note, stopAt } from "./notes.js";
import { createPane, stateOf } from "./parts.js";
import { createPredict } from "./predict.js";
import { createMap } from "./reading_map.js";
import { createText } from "./source_text.js";
import { createSent } from "./sent.js";
import { createShare } from "./share.js";
import { createStage } from "./stage.js";
import { createStepper } from "./stepper.js";
import { stepAtPlace } from "./steps.js";
import { StepsTable } from "./steps_table.js";
import { createTour } from "../tour/tour.js";

const SETTLED = 300;

// `end`: null where the end is always shown; otherwise there is a switch; `end.hides` says whether it is hidden at first, and `end.usual`
// what it is where the address does not say.
// `stage`: the question and the ending that Stage shows; without it there is no Stage. `follows`: whether words of the text can be
// followed, which Python does. `algorithm`: whether the algorithm is shown at first; without it there is none. `tour`: whether the page has
// a tour.
export function createPlayer(root, frames, { at = null, vis, beside = "", end = null, stage: staging = null, follows = Boolean(staging), algorithm: code = null, tour: toured = false } = {}) {
  const player = { root, frames, vis, at: 0, until: null, known: null, fast: false, staged: false };
  Object.defineProperty(player, "last", { get: () => Math.max(0, player.frames.steps.length - 1) });
  Object.defineProperty(player, "reach", { get: () => Math.min(player.last, player.until ?? player.last) }); // Python may set `until`
  let settling = 0;
  let moved = 0;
  let played = false;

  if (beside) for (const [name, value] of [["role", "group"], ["aria-label", beside]]) root.setAttribute(name, value);

  // Show a step, clamped to the first and last. `by` says what moved it, if not a person.
  player.go = (step, by = "") => {
    const asked = player.asks();
    const wanted = predict.halt(Math.min(player.reach, Math.max(0, step)));
    if (wanted === player.at && player.begun && asked === player.asks()) return;
    player.fast = performance.now() - moved < 250;
    moved = performance.now();
    player.at = wanted;
    draw();
    tell(player.frames.run, "at", { at: wanted, by });
    clearTimeout(settling);
    settling = setTimeout(settle, SETTLED);
  };

  const place = placeInAddress();
  function settle() {
    if (!beside && placeInAddress() === place) setInAddress("at", String(player.at + 1));
    tell(player.frames.run, "settled", { at: player.at, hides: player.ending.hides() });
  }

  // Go to the step that opened the text at `offset`, raw reading first. With `keep`, the text is not scrolled, and only a raw reading is
  // gone to.
  player.goToPlace = (offset, { keep = false } = {}) => {
    const found = stepAtPlace(player.frames.steps, offset, player.at);
    if (found && (found.raw || !keep)) player.go(found.step);
    if (!found?.raw) text.announce("This place was never opened on its own: no step had its text in view.");
    if (!keep) text.show(offset);
  };

  // Show a place on request; if the text pane is out of view, behind the stepper or further down, the page scrolls to it.
  player.show = (offset) => {
    text.show(offset);
    const { top } = text.node.getBoundingClientRect();
    const head = root.querySelector(".top").getBoundingClientRect().bottom;
    if (top < head || top > window.innerHeight - 200) (document.querySelector('[data-testid="stMain"]') ?? document.scrollingElement).scrollBy(0, top - Math.min(head, window.innerHeight / 2) - 8);
  };

  // Play, once, if the address asks for it and the person has not asked for stillness. Python may put `play` there again.
  player.playIfAsked = () => {
    if (beside || played || player.frames.live || inAddress("play") !== "1") return;
    played = true;
    setInAddress("play", "");
    if (!calm()) stepper.play();
  };

  // Whether playing halts at the step that is shown: there is a pause, or a choice to be predicted.
  player.halts = (playing) => {
    if (player.asks()) predict.halted(playing);
    return player.asks() || Boolean(stopAt(player.frames.stops, player.at)?.pauses);
  };
  player.asks = () => predict.asks();

  player.want = (what) => tell(player.frames.run, "want", { what });

  player.keys = createKeys(player, { below: Boolean(beside) });
  const tour = toured ? createTour(player) : null;
  const predict = createPredict(player, { resume: () => stepper.play() });
  player.ending = createEnding(player, { offered: Boolean(end), hides: Boolean(end?.hides) || predict.any(), usual: end?.usual }, () => {
    draw();
    settle();
  });
  player.ends = () => player.ending.shown() && (Boolean(end) || !predict.waits()); // without a switch for the end, what is to be predicted hides it
  const stage = createStage(player, staging, arrangeStage);
  const algorithm = createAlgorithm(player, { offered: Boolean(code), shown: Boolean(code?.shown) }, refit);
  player.showAlgorithm = algorithm.follow;
  const stepper = createStepper(player, [player.ending.button, algorithm.button, ...stage.tools, ...shareAndKeys()]);
  const allSteps = createAllSteps(player, Boolean(staging), refit);
  const map = createMap(player, allSteps.button);
  const drawn = (PICTURES[frames.kind] ?? PICTURES.graph)(player);
  const text = createText(player);
  player.announce = text.announce;
  listenForJumps(player, text);
  const lifeline = createLifeline(player, { offered: follows, characters: text.characters }, () => draw());
  const followButton = follows ? createFollowButton(player, text.column, lifeline.follow) : null;
  const decision = createPane(player, Decision, { "aria-label": "The decision" });
  const table = createPane(player, StepsTable, { tag: "details", class: "card pane steps" });
  const notes = createPane(player, Note, { tag: "aside", class: "card pane speaker", "aria-label": "The speaker’s note" });
  const panes = [stepper, allSteps, map, lifeline, notes, predict, algorithm, drawn, text, decision, table];
  const onStage = [stepper, predict, drawn, text];

  // A mark of the picture is touched: what speaks of the same place of the text may light up.
  player.touch = (mark) => tell(player.frames.run, "touched", { mark });
  for (const kind of ["pointerover", "pointerout", "focusin", "focusout"]) drawn.node.addEventListener(kind, ({ target }) => touchedIn(target, kind));
  function touchedIn(target, kind) {
    const place = target.closest?.("[data-place]")?.dataset.place;
    if (place) player.touch(/over|in$/.test(kind) ? place.split("-").map(Number) : null);
  }

  const columns = el("div", { class: "columns" }, drawn.node, text.node, algorithm.node);
  root.replaceChildren(
    el("span", { class: "probe", "aria-hidden": "true" }),
    stage.heading,
    stage.ending,
    el("section", { class: "card top", "aria-label": "The steps of the reading" }, stepper.node, map.node),
    allSteps.node,
    notes.node,
    predict.node,
    lifeline.node,
    columns,
    map.legend,
    decision.node,
    table.node,
    tour?.node ?? "",
  );

  const filling = beside || staging ? endWithWindow(root, columns) : fillWindow(root, columns, map.legend); // on the bench

  // Only a player that is alone on its page has these: the bench has a list of keys of its own, and two players share theirs.
  function shareAndKeys() {
    if (!staging) return [];
    const share = createShare(player, staging.question, () => [map.node, ...(allSteps.node.hidden ? [columns] : [allSteps.node]), map.legend]);
    player.keys.on({ list: player.keys.list });
    if (tour) player.keys.on({ tour: () => tour.begin() });
    if (tour) player.keys.add(tour.button);
    return [share.button, share.node, player.keys.button, player.keys.node];
  }

  // For a reader without a picture, the table of steps takes the picture's place.
  function arrange() {
    const pictured = Boolean(player.frames.kind) && (Boolean(player.frames.picture) || player.frames.live);
    drawn.node.hidden = !pictured;
    if (pictured === columns.contains(drawn.node)) return;
    columns.replaceChildren(pictured ? drawn.node : table.node, text.node, algorithm.node);
    table.node.open = !pictured;
    if (pictured) decision.node.after(table.node);
  }

  function draw() {
    arrange();
    player.begun = true;
    player.ending.draw();
    if (stage.draw()) return arrangeStage();
    const state = stateOf(player);
    for (const pane of player.staged ? onStage : panes) {
      if (pane === drawn && !size.known()) filling.fit(); // the panes above it are drawn for the first time
      pane.draw(player.at, state);
    }
  }

  // A pane came or went beside the others.
  function refit() {
    player.fast = true; // nothing glides
    algorithm.draw(player.at);
    stepper.fit();
    drawn.fit();
    draw();
  }

  // The panes have another size now.
  function arrangeStage() {
    player.fast = true; // nothing glides
    if (player.staged) tour?.end();
    stage.draw();
    stepper.fit();
    drawn.fit();
    draw();
    text.show();
  }

  // New frames of the same reading; a player at its end stays at its end.
  player.update = (changed) => {
    const atEnd = player.at >= player.last;
    const others = changed.text && changed.text.chars !== player.frames.text?.chars;
    player.frames = { ...player.frames, ...changed };
    if (others) text.load();
    drawn.load();
    if (atEnd && player.at !== player.last) player.go(player.last);
    else draw();
  };

  // The page was redrawn: accept again what Python sent before.
  player.refreshed = (changed) => {
    sent.again();
    if (!changed.live || changed.steps.length >= player.frames.steps.length) player.update(changed);
    tell(changed.run, "ready");
  };

  // With two players on a page, keys go to the one used last.
  function using() {
    player.keys.raise();
    tell(frames.run, "used");
  }
  for (const kind of ["pointerdown", "focusin"]) root.addEventListener(kind, using);

  const sent = createSent(player, { drawn, text, draw });
  const ears = hear(frames.run, {
    go: ({ at, by }) => player.go(at, by),
    show: ({ place }) => player.show(place),
    scroll: ({ place }) => text.follow(place),
    reveal: () => root.scrollIntoView({ block: "start", behavior: calm() ? "instant" : "smooth" }),
    select: ({ words }) => text.select(words),
    sides: ({ only }) => stage.turnTo(only),
    light: ({ mark }) => {
      player.lit = mark;
      drawn.light?.(mark);
      draw();
    },
    where: () => tell(frames.run, "at", { at: player.at, by: "asked" }),
    sent: ({ what }) => sent.take(what),
    linked: () => text.want(), // what was asked before nobody heard
  });

  const forgetNavigation = whenNavigated(frames.run, (step) => {
    if (beside) return;
    player.go(step);
    stage.followAddress();
  });

  const size = watchSize([root, columns], () => `${root.clientWidth} ${columns.clientHeight}`, () => {
    if (renewInks(root)) drawn.load(); // a style sheet may come together with a size
    stepper.fit();
    draw();
    drawn.fit();
  });
  const stopRecolouring = onRecolour(root, () => {
    drawn.load();
    draw();
  });

  player.destroy = () => {
    ears();
    filling.stop();
    forgetNavigation();
    for (const kind of ["pointerdown", "focusin"]) root.removeEventListener(kind, using);
    size.stop();
    stopRecolouring();
    player.keys.destroy();
    player.ending.destroy();
    stage.destroy();
    tour?.destroy();
    lifeline.destroy();
    followButton?.destroy();
    stepper.destroy();
    drawn.destroy();
    clearTimeout(settling);
  };

  text.load();
  drawn.load();
  player.at = Math.min(player.last, Math.max(0, at ?? (predict.any() ? 0 : player.last)));
  draw();
  size.isDrawn();
  filling.fit();
  size.begin();
  tell(frames.run, "ready");
  lifeline.begin();
  if (at !== null) settling = setTimeout(settle, SETTLED);
  stage.followAddress();
  player.playIfAsked();
  player.ended = () => tour?.come(true);
  tour?.come();
  return player;
}
