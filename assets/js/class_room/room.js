// Entry point: the teacher's page of a class, over the player. A bar at the top with the code; at a decision the question covers the
// reading before what happened is seen, until the vote is over. What the teacher does goes to Python, which alone changes the class.
import { hear, tell } from "../player/bus.js";
import { el } from "../player/dom.js";
import { joinKeys } from "../player/keymap.js";
import { createActs } from "../player/outbox.js";
import { whenUnmounted } from "../player/unmounted.js";
import { clockLabel, clockWords, devicesHere, mainAct, mayReveal, nextVote, noteWords, stopBetween, votesOn } from "./class_model.js";
import { BAR_WITH_BUTTONS, drawCover, raiseCover, setCovered } from "./cover.js";
import { fillDoor } from "./door.js";

const CLASS_COOKIE = "palimpsest_class";
const COOKIE_SECONDS = 365 * 24 * 60 * 60;
const ANY_TIME = ["step", "joining", "loose", "every", "closed", "word", "remove"]; // acts after which another may follow at once
const SETTLES = 250; // milliseconds after which a step is told to the class
const SURE = 4000; // milliseconds in which a second press ends the class
const rooms = new WeakMap();

export default function (component) {
  const { data, parentElement, setStateValue } = component;
  let room = rooms.get(parentElement);
  if (!room) rooms.set(parentElement, (room = createRoom(parentElement.querySelector(".class-room"), data, (acts) => room.tell("acts", acts))));
  room.tell = setStateValue;
  room.receive(data);
  return whenUnmounted(parentElement, () => {
    room.destroy();
    rooms.delete(parentElement);
  });
}

function createRoom(root, first, send) {
  const bar = el("header", { class: "class-bar", popover: "manual", "data-above-stage": "", "aria-label": "The class" });
  const cover = el("main", { class: "class-cover", popover: "manual", tabindex: -1, "data-above-stage": "" });
  const note = el("aside", { class: "class-note", popover: "manual", "data-above-stage": "", "aria-label": "Your note on this step" });
  const door = el("aside", { class: "class-door", popover: "manual", "data-above-stage": "", "aria-label": "The devices of the class" });
  const clock = el("span", { class: "clock" });
  let data = first;
  const outbox = createActs({ send, from: first.n });
  let asking = null; // the step whose question was asked for and is not here yet
  let left = null; // the step whose question was left: it is not asked again before the class has moved on
  let showsOwn = true; // notes, and what is for the teacher alone
  let showsDoor = false;
  let ending = 0;
  let settling = 0;
  let here = first.at;
  let began = performance.now();
  let since = "";
  let drawnAs = "";

  root.replaceChildren(bar, cover, note, door);
  document.documentElement.style.setProperty("--class-bar", BAR_WITH_BUTTONS);
  bar.showPopover?.();

  // To Python

  function act(what, more = {}) {
    if (outbox.waiting().some((one) => !ANY_TIME.includes(one.do))) return; // one after the other: a second Enter must not close what the first has opened
    outbox.add({ do: what, ...more }, (other) => what === "step" && other.do === "step");
    draw();
  }

  function receive(given) {
    data = given;
    document.cookie = `${CLASS_COOKIE}=${data.token}; path=/; SameSite=Lax; max-age=${COOKIE_SECONDS}`;
    outbox.done(data.n);
    if (!outbox.waiting().length && (data.asked === asking || data.message)) asking = null;
    if (since !== data.since) {
      since = data.since;
      began = performance.now() - 1000 * data.seconds;
    }
    draw();
  }

  // The player

  const ears = hear(first.run, {
    at: ({ at, by }) => moved(at, by),
    ready: () => {
      tell(first.run, "where");
      setTimeout(() => raiseCover(cover), 60);
    },
  });

  const isOpen = (at) => data.decisions.includes(at) && !data.done.includes(at);

  function moved(at, by) {
    if (by === "asked" && at === data.at) return;
    const stop = stopBetween(data, here, at);
    if (stop !== null && stop !== at) return tell(data.run, "go", { at: stop });
    here = at;
    if (at !== left) left = null;
    if (isOpen(at) && at !== left) return ask(at);
    clearTimeout(settling);
    settling = setTimeout(() => act("step", { at: here }), SETTLES);
    draw();
  }

  function ask(at) {
    clearTimeout(settling);
    asking = at;
    draw();
    act("ask", { at });
  }

  function leave() {
    left = data.asked;
    asking = null;
    if (data.asked > 0) tell(data.run, "go", { at: data.asked - 1 });
    else act("step", { at: data.asked });
  }

  function goOn() {
    here = data.asked;
    act("step", { at: data.asked });
  }

  // Keys and buttons: what can be done now, by key

  const showsCode = () => (outbox.waiting().find((one) => one.do === "joining")?.on ?? data.joining) && asking === null;
  const covered = () => asking !== null || data.phase !== "reading" || showsCode();

  function offers() {
    if (showsCode()) return [{ keys: ["Enter"], does: data.at ? "Back to the reading" : "Begin", run: () => act("joining", { on: false }), main: true }];
    const all = [];
    const main = data.phase === "reading" || asking !== null ? null : mainAct(data);
    if (main) all.push({ keys: ["Enter"], does: main.says, run: () => (main.do === "on" ? goOn() : act(main.do)), main: true });
    if (main && mayReveal(data)) all.push({ keys: ["r"], does: data.phase === "asked" ? "Show it without a vote" : `Show what the model ${data.verb}`, run: () => act("reveal") });
    if (data.phase === "closed" && data.round < 2) all.push({ keys: ["v"], does: "Vote again at once", run: () => act("open") });
    if (main && data.phase !== "voting" && data.phase !== "revealed") all.push({ keys: ["Backspace"], does: "Back a step", run: leave });
    if (!covered() && isOpen(here)) all.push({ keys: ["v"], does: "Ask about this step", run: () => ask(here) });
    const next = nextVote(data, here);
    if (!covered() && !isOpen(here) && next !== null) all.push({ keys: ["v"], does: `Next vote: step ${next + 1}`, run: () => tell(data.run, "go", { at: next }), main: true });
    return all;
  }

  const always = () => [
    ...(data.phase === "reading" ? [{ keys: ["c"], does: "Code", run: () => act("joining", { on: !data.joining }) }] : []),
    { keys: ["o"], does: data.loose ? "Call them back" : "Look alone", about: "Learners look through the reading on their own devices", run: () => act("loose", { on: !data.loose }) },
    { keys: ["n"], does: showsOwn ? "Hide notes" : "Notes", about: "Your notes, and what is for you alone", run: showOwn },
  ];

  function showOwn() {
    showsOwn = !showsOwn;
    draw();
  }

  function showDoor() {
    showsDoor = !showsDoor;
    draw();
    if (showsDoor) door.querySelector("button").focus();
  }

  function openScreen() {
    const url = new URL(window.location.href);
    url.searchParams.set("screen", "room");
    url.searchParams.set("stage", "1");
    window.open(url, "palimpsest-room");
  }

  function end() {
    if (ending) return act("end");
    ending = setTimeout(() => {
      ending = 0;
      draw();
    }, SURE);
    return draw();
  }

  // Under a cover the player's keys do nothing.
  const doorKey = { keys: ["w"], does: "who can join, and who is removed", run: showDoor };
  const place = joinKeys({
    place: "class", root,
    keys: () => [...offers(), ...always(), doorKey, ...(showsDoor ? [{ keys: ["Escape"], run: showDoor }] : [])],
    covers: (event) => covered() && !["Tab", "PageDown", "PageUp", "ArrowDown", "ArrowUp", "Shift"].includes(event.key),
  });

  // Drawing

  const button = ({ keys: [key], does, about, run, main }) => el("button", { type: "button", title: about, class: main ? "tool main" : "tool", "data-key": key, on: { click: run } }, el("span", { text: does }), el("kbd", { text: key, "aria-hidden": "true" }));

  function draw() {
    const as = JSON.stringify([{ ...data, seconds: 0 }, asking, showsOwn, showsDoor, Boolean(ending), here, outbox.waiting().length]);
    if (as === drawnAs) return;
    drawnAs = as;
    const endButton = el("button", { type: "button", class: "tool end", text: ending ? "Press again to end the class" : "End", on: { click: end } });
    bar.replaceChildren(
      el("span", { class: "class-code", text: `Class ${data.code}` }), joinedButton(),
      el("span", { class: "message", role: "status", text: data.message }), clock, el("span", { class: "rest" }),
      ...(covered() ? [] : offers().map(button)), ...always().map(button), endButton,
    );
    drawClock();
    drawNote();
    const rises = covered() && !cover.matches(":popover-open");
    setCovered(cover, covered());
    if (covered()) drawCover(cover, data, { joining: showsCode(), own: showsOwn ? forTeacher() : "", waiting: asking !== null && data.asked !== asking, buttons: offers().map(button) });
    drawDoor(rises);
  }

  // Below the code: what only the teacher is to know and decide.
  function forTeacher() {
    const { problem, usual, all, every } = data;
    const other = every ? `Vote at ${usual} of them only` : `Vote at all ${all}`;
    return el("aside", { class: "for-teacher", "aria-label": "For you alone" },
      el("p", {}, el("b", { text: "For you alone." }), " Put the room’s screen on the projector: it shows neither this nor your notes."),
      problem ? el("p", { class: "problem", text: problem }) : "",
      el("p", { text: `${votesOn(data)} ${data.fits}` }),
      el("p", { class: "ways" }, el("button", { type: "button", class: "tool", text: "Open the room’s screen", on: { click: openScreen } }),
        usual < all ? el("button", { type: "button", class: "tool", text: other, on: { click: () => act("every", { on: !every }) } }) : ""));
  }

  function drawNote() {
    const words = showsOwn && !showsCode() ? noteWords(data.stops, asking ?? data.asked ?? here) : "";
    document.documentElement.style.setProperty("--class-foot", words ? "66px" : "0px");
    note.replaceChildren(el("b", { text: "Your note" }), el("span", { class: "note-words", text: words }));
    if (words && !note.matches(":popover-open")) note.showPopover?.();
    if (!words && note.matches(":popover-open")) note.hidePopover();
  }

  function joinedButton() {
    const words = data.closed ? `${data.here} here, closed` : devicesHere(data.here);
    return el("button", { type: "button", class: "tool joined", "aria-expanded": String(showsDoor), title: "Close the door, ask for a word, remove devices (w). A device that has been gone for a minute is not counted.", text: words, on: { click: showDoor } });
  }

  // `over`: the cover has just come up over it.
  function drawDoor(over) {
    if (showsDoor) fillDoor(door, data, act);
    const open = door.matches(":popover-open");
    if (open && (over || !showsDoor)) door.hidePopover();
    if (showsDoor && (over || !open)) door.showPopover?.();
  }

  const drawClock = () => clock.replaceChildren(el("small", { text: clockLabel(data) }), clockWords((performance.now() - began) / 1000));
  const ticking = setInterval(drawClock, 500);

  const refit = () => {
    drawnAs = "";
    draw();
  };
  window.addEventListener("resize", refit);

  return {
    receive,
    destroy() {
      ears();
      clearInterval(ticking);
      clearTimeout(settling);
      clearTimeout(ending);
      place.leave();
      outbox.end();
      window.removeEventListener("resize", refit);
      for (const name of ["--class-bar", "--class-foot"]) document.documentElement.style.removeProperty(name);
    },
  };
}
