// Entry point: the teacher's page of a class, over the player. A bar at the top with the code; at a decision the question covers the
// reading before what happened is seen, until the vote is over. What the teacher does goes to Python, which alone changes the class.
import { html, render, useEffect, useState } from "../../vendor/preact.js";
import { hear, tell } from "../player/bus.js";
import { createHeartbeat } from "../player/connection.js";
import { el } from "../player/dom.js";
import { joinKeys } from "../player/keymap.js";
import { createActs } from "../player/outbox.js";
import { whenUnmounted } from "../player/unmounted.js";
import { clockLabel, clockWords, devicesHere, mainAct, mayReveal, nextVote, noteWords, outcome, stopBetween, votesOn } from "./class_model.js";
import { Door } from "./door.js";
import { BAR_WITH_BUTTONS, Cover, areLong, leaveStage, raiseCover, setCovered, widthOf } from "./cover.js";
import { createLessonPlayer } from "./lesson_player.js";

const CLASS_COOKIE = "palimpsest_class";
const COOKIE_SECONDS = 365 * 24 * 60 * 60;
const ANY_TIME = ["step", "turn", "joining", "loose", "every", "closed", "word", "remove"]; // acts after which another may follow at once
const SETTLES = 250; // milliseconds after which a step is told to the class
const MANY_OPTIONS = 6; // which may take more than a page
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
  const bar = el("div", { class: "class-bar", role: "group", popover: "manual", "data-above-stage": "", "aria-label": "The class" });
  const cover = el("section", { class: "class-cover", popover: "manual", tabindex: -1, "data-above-stage": "", "aria-label": "What the class is shown" });
  const note = el("aside", { class: "class-note", popover: "manual", "data-above-stage": "", "aria-label": "Your note on this step" });
  const door = el("aside", { class: "class-door", popover: "manual", "data-above-stage": "", "aria-label": "The devices of the class" });
  const connection = createHeartbeat();
  let data = first;
  const outbox = createActs({ send, from: first.n });
  let asking = null; // the step whose question was asked for and is not here yet
  let left = null; // the step whose question was left: it is not asked again before the class has moved on
  let showsOwn = true; // notes, and what is for the teacher alone
  let showsDoor = false;
  let ending = 0;
  let settling = 0;
  let pages = 1; // of what is shown, in this window
  let here = first.at;
  let began = performance.now();
  let since = "";

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
    connection.heard();
    document.cookie = `${CLASS_COOKIE}=${data.token}; path=/; SameSite=Lax; max-age=${COOKIE_SECONDS}`;
    outbox.done(data.n);
    if (!outbox.waiting().length && (data.asked === asking || data.message)) asking = null;
    if (since !== data.since) {
      since = data.since;
      began = performance.now() - 1000 * data.seconds;
    }
    lesson.follow(data.lesson);
    draw();
  }

  // The player

  const lesson = createLessonPlayer({ touched: () => draw(), ready: () => setTimeout(() => raiseCover(cover), 60) });
  const ears = first.lesson ? () => {} : hear(first.run, {
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

  // To a step of a lesson; what is asked there comes before it.
  function toPart(at) {
    if (isOpen(at) && at !== left) return ask(at);
    here = at;
    act("step", { at });
  }

  function leave() {
    left = data.asked;
    asking = null;
    if (data.lesson) act("step", { at: Math.max(0, data.asked - 1) });
    else if (data.asked > 0) tell(data.run, "go", { at: data.asked - 1 });
    else act("step", { at: data.asked });
  }

  function goOn() {
    here = data.asked;
    act("step", { at: data.asked });
  }

  // Keys and buttons: what can be done now, by key

  // The room's screen may need more pages than this one, so the key is always there.
  const turning = { keys: ["PageDown"], run: () => act("turn", { at: data.page + 1 }) };
  const mayTurn = () => Boolean(data.lesson || data.phase !== "reading") && !showsCode() && asking === null;

  function counted(found) {
    if (found === pages) return;
    pages = found;
    queueMicrotask(draw);
  }

  const showsCode = () => (outbox.waiting().find((one) => one.do === "joining")?.on ?? data.joining) && asking === null;
  const asks = () => asking !== null || data.phase !== "reading" || showsCode();

  function offers() {
    if (showsCode()) return [{ keys: ["Enter"], does: data.at ? "Back to the reading" : "Begin", run: () => act("joining", { on: false }), main: true }];
    const all = [];
    const main = data.phase === "reading" || asking !== null ? null : mainAct(data);
    if (main) all.push({ keys: ["Enter"], does: main.says, run: () => (main.do === "on" ? goOn() : act(main.do)), main: true });
    if (main && mayReveal(data)) all.push({ keys: ["r"], does: data.phase === "asked" ? "Show it without a vote" : `Show ${outcome(data.verb)}`, run: () => act("reveal") });
    if (data.phase === "closed" && data.round < 2) all.push({ keys: ["v"], does: "Vote again at once", run: () => act("open") });
    if (main && data.phase !== "voting" && data.phase !== "revealed") all.push({ keys: ["Backspace"], does: "Back a step", run: leave });
    if (mayTurn() && (pages > 1 || areLong(data) || data.options.length > MANY_OPTIONS)) all.push({ ...turning, does: "Turn the page", about: "The room’s screen follows, if it needs more than one" });
    if (data.lesson && !asks()) return [...all, ...waysOn()];
    if (!asks() && isOpen(here)) all.push({ keys: ["v"], does: "Ask about this step", run: () => ask(here) });
    const next = nextVote(data, here);
    if (!asks() && !isOpen(here) && next !== null) all.push({ keys: ["v"], does: `Next vote: step ${next + 1}`, run: () => tell(data.run, "go", { at: next }), main: true });
    return all;
  }

  // From a step of a lesson to the next; Enter leads through the whole lesson.
  function waysOn() {
    const { at, steps } = data;
    const on = isOpen(at) ? [{ keys: ["Enter"], does: "Ask about it", run: () => ask(at), main: true }] : at + 1 < steps ? [{ keys: ["Enter"], does: "Next", run: () => toPart(at + 1), main: true }] : [];
    return [...on, ...(at ? [{ keys: ["Backspace"], does: "Back", run: () => act("step", { at: at - 1 }) }] : [])];
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
    else root.getRootNode().activeElement?.blur(); // a hidden button keeps the focus for a moment, in which Enter would press it
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
    keys: () => [...offers(), ...always(), ...(mayTurn() ? [turning] : []), doorKey, ...(showsDoor ? [{ keys: ["Escape"], run: showDoor }] : [])],
    covers: (event) => asks() && !["Tab", "PageDown", "PageUp", "ArrowDown", "ArrowUp", "Shift"].includes(event.key),
  });

  // Drawing

  function draw() {
    const words = showsOwn && !showsCode() ? noteWords(data.stops, asking ?? data.asked ?? (data.lesson ? data.at : here)) : "";
    const covered = asks() || Boolean(data.lesson);
    const offered = offers();
    render(html`<${Bar} ...${{ data, began, offered: [...(covered ? [] : offered), ...always()], showsDoor, ending: Boolean(ending), showDoor, end }} />`, bar);
    document.documentElement.style.setProperty("--class-foot", words ? "66px" : "0px");
    render(html`<b>Your note</b><span class="note-words" tabindex="0">${words}</span>`, note);
    setOpen(note, Boolean(words));
    const rises = covered && !cover.matches(":popover-open"); // over the door
    setCovered(cover, covered, widthOf(data, showsCode()));
    const own = showsOwn && html`<${ForTeacher} data=${data} act=${act} />`;
    if (covered) render(html`<${Cover} ...${{ data, cover, own, counted, lit: lesson.lit(), joining: showsCode(), waiting: asking !== null && data.asked !== asking }}>${offered.map(Tool)}</${Cover}>`, cover);
    if (showsDoor) render(html`<${Door} data=${data} act=${act} />`, door);
    if (rises) setOpen(door, false);
    setOpen(door, showsDoor);
  }
  window.addEventListener("resize", draw);

  return {
    receive,
    destroy() {
      ears();
      lesson.end();
      connection.end();
      render(null, bar); // ends its clock
      clearTimeout(settling);
      clearTimeout(ending);
      place.leave();
      outbox.end();
      window.removeEventListener("resize", draw);
      leaveStage();
      for (const name of ["--class-bar", "--class-foot"]) document.documentElement.style.removeProperty(name);
    },
  };
}

function setOpen(node, on) {
  const open = node.matches(":popover-open");
  if (on && !open) node.showPopover?.();
  if (!on && open) node.hidePopover();
}

// A button with its key. It is another one as soon as it does something else, so that Enter, held down on it, does not go on to that.
const Tool = ({ keys: [key], does, about, run, main }) => html`<button key=${does} type="button" title=${about} class=${main ? "tool main" : "tool"} data-key=${key} onClick=${() => run()}><span>${does}</span><kbd aria-hidden="true">${key}</kbd></button>`;

const DOOR = "Close the door, ask for a word, remove devices (w). A device that has been gone for a minute is not counted.";

const Bar = ({ data, began, offered, showsDoor, ending, showDoor, end }) => html`
  <span class="class-code">Class ${data.code}</span>
  <button type="button" class="tool joined" aria-expanded=${String(showsDoor)} title=${DOOR} onClick=${showDoor}>${data.closed ? `${data.here} here, closed` : devicesHere(data.here)}</button>
  <span class="message" role="status">${data.message}</span><${Clock} data=${data} began=${began} /><span class="rest" />
  ${offered.map(Tool)}
  <button type="button" class="tool end" onClick=${end}>${ending ? "Press again to end the class" : "End"}</button>`;

function Clock({ data, began }) {
  const [now, setNow] = useState(performance.now());
  useEffect(() => {
    const ticking = setInterval(() => setNow(performance.now()), 500);
    return () => clearInterval(ticking);
  }, []);
  return html`<span class="clock"><small>${clockLabel(data)}</small>${clockWords(Math.max(0, now - began) / 1000)}</span>`;
}

// Below the code: what only the teacher is to know and decide.
function ForTeacher({ data, act }) {
  const { problem, usual, all, every, fits } = data;
  return html`<aside class="for-teacher" aria-label="For you alone">
    <p><b>For you alone.</b> Put the room’s screen on the projector: it shows neither this nor your notes.</p>
    ${problem && html`<p class="problem">${problem}</p>`}
    <p>${votesOn(data)} ${fits}</p>
    <p class="ways">
      <button type="button" class="tool" onClick=${openScreen}>Open the room’s screen</button>
      ${usual < all && html`<button type="button" class="tool" onClick=${() => act("every", { on: !every })}>${every ? `Vote at ${usual} of them only` : `Vote at all ${all}`}</button>`}
    </p>
  </aside>`;
}

// The button is left, so that the next Enter begins the class and does not open the screen once more.
function openScreen({ currentTarget }) {
  currentTarget.closest(".class-cover").focus({ preventScroll: true });
  const url = new URL(window.location.href);
  url.searchParams.set("screen", "room");
  url.searchParams.set("stage", "1");
  window.open(url, "palimpsest-room");
}
