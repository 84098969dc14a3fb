// Entry point: the teacher's page of a class, over the player. A bar at the top with the code; at a decision the question covers the
// reading before what happened is seen, until the vote is over. What the teacher does goes to Python, which alone changes the class.
import { hear, tell } from "../player/bus.js";
import { el } from "../player/dom.js";
import { pressing, typing, untaken } from "../player/key_guard.js";
import { whenUnmounted } from "../player/unmounted.js";
import { clockWords, knownWords, mainAct, mayReveal, movedWords, phaseWords } from "./class_model.js";
import { fitLetters } from "./fit_letters.js";
import { optionList, reasonOf } from "./options.js";

const CLASS_COOKIE = "palimpsest_class";
const COOKIE_SECONDS = 365 * 24 * 60 * 60;
const SETTLES = 250; // milliseconds after which a step is told to the class
const SURE = 4000; // milliseconds in which a second press ends the class
const rooms = new WeakMap();

export default function (component) {
  const { data, parentElement, setStateValue } = component;
  let room = rooms.get(parentElement);
  if (!room) rooms.set(parentElement, (room = createRoom(parentElement.querySelector(".class-room"), data, (value) => room.tell("said", value))));
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
  const clock = el("span", { class: "clock" });
  let data = first;
  let number = first.n;
  let acts = []; // not done by Python yet
  let asking = null; // the step whose question was asked for and is not here yet
  let left = null; // the step whose question was left: it is not asked again before the class has moved on
  let showsCode = !first.joined && first.at === 0 && first.phase === "reading";
  let ending = 0;
  let settling = 0;
  let here = first.at;
  let began = performance.now();
  let since = "";
  let drawnAs = "";

  root.replaceChildren(bar, cover);
  document.documentElement.style.setProperty("--class-bar", "56px");
  bar.showPopover?.();

  // To Python

  function act(what, more = {}) {
    if (acts.some((one) => one.do !== "step")) return; // one after the other: a second Enter must not close what the first has opened
    number = Math.max(number, data.n) + 1;
    acts = [...(what === "step" ? acts.filter((one) => one.do !== "step") : acts), { n: number, do: what, ...more }];
    send({ acts });
  }

  function receive(given) {
    data = given;
    document.cookie = `${CLASS_COOKIE}=${data.token}; path=/; SameSite=Lax; max-age=${COOKIE_SECONDS}`;
    acts = acts.filter((one) => one.n > data.n);
    if (!acts.length && (data.asked === asking || data.message)) asking = null;
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
      setTimeout(raise, 60); // Stage may have opened over it
    },
  });

  const isOpen = (at) => data.decisions.includes(at) && !data.done.includes(at);

  function moved(at, by) {
    if (by === "asked" && at === data.at) return;
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
    showsCode = false;
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

  const covered = () => asking !== null || data.phase !== "reading" || showsCode;

  function offers() {
    if (showsCode) return [{ key: "Enter", shown: "Enter", says: data.at ? "Back to the reading" : "Begin", run: () => showCode(false), main: true }];
    const all = [];
    const main = data.phase === "reading" || asking !== null ? null : mainAct(data);
    if (main) all.push({ key: "Enter", shown: "Enter", says: main.says, run: () => (main.do === "on" ? goOn() : act(main.do)), main: true });
    if (main && mayReveal(data)) all.push({ key: "r", shown: "r", says: data.phase === "asked" ? "Show it without a vote" : "Show what the model chose", run: () => act("reveal") });
    if (data.phase === "closed" && data.round < 2) all.push({ key: "v", shown: "v", says: "Vote again at once", run: () => act("open") });
    if (main && data.phase !== "voting" && data.phase !== "revealed") all.push({ key: "Backspace", shown: "Backspace", says: "Back to the step before", run: leave });
    if (!covered() && isOpen(here)) all.push({ key: "v", shown: "v", says: "Ask about this step", run: () => ask(here) });
    return all;
  }

  const always = () => [
    { key: "c", shown: "c", says: "Code", run: () => showCode(!showsCode) },
    { key: "o", shown: "o", says: data.loose ? "Call them back" : "Let them step alone", run: () => act("loose", { on: !data.loose }) },
  ];

  function showCode(on) {
    if (data.phase !== "reading") return;
    showsCode = on;
    draw();
  }

  function end() {
    if (ending) return act("end");
    ending = setTimeout(() => {
      ending = 0;
      draw();
    }, SURE);
    return draw();
  }

  // Before the player hears of it: under a cover its keys do nothing.
  function pressed(event) {
    if (!untaken(event, root) || typing(event)) return;
    const found = [...offers(), ...always()].find(({ key }) => key === event.key);
    const own = event.composedPath().includes(root) && pressing(event) && ["Enter", " "].includes(event.key);
    if (covered() && !["Tab", "PageDown", "PageUp", "ArrowDown", "ArrowUp", "Shift"].includes(event.key)) event.stopImmediatePropagation();
    if (!found || own || event.repeat) return;
    if (found.key === "Enter" && pressing(event)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    found.run();
  }
  window.addEventListener("keydown", pressed, true);

  // Drawing

  const button = ({ shown, says, run, main }) => el("button", { type: "button", class: main ? "tool main" : "tool", on: { click: run } }, el("span", { text: says }), el("kbd", { text: shown, "aria-hidden": "true" }));

  function draw() {
    const as = JSON.stringify([data, asking, showsCode, Boolean(ending), here, acts.length]);
    if (as === drawnAs) return;
    drawnAs = as;
    const devices = `${data.joined} ${data.joined === 1 ? "device" : "devices"}`;
    const endButton = el("button", { type: "button", class: "tool", text: ending ? "Press again to end the class" : "End", on: { click: end } });
    bar.replaceChildren(
      el("span", { class: "class-code", text: `Class ${data.code}` }), el("span", { class: "joined", text: devices }),
      el("span", { class: "message", role: "status", text: data.message }), clock,
      ...(covered() ? [] : offers().map(button)), ...always().map(button), endButton,
    );
    drawClock();
    toggle(cover, covered());
    if (!covered()) return;
    const inside = showsCode ? codeCard() : asking !== null && data.asked !== asking ? [el("h1", { text: "…" })] : questionCard();
    const foot = el("footer", { class: "cover-foot" }, el("span", { class: "phase", role: "status", text: showsCode ? `${devices} joined` : phaseWords(data) }), ...offers().map(button));
    const top = cover.querySelector(".cover-body")?.scrollTop ?? 0;
    const body = el("div", { class: showsCode ? "cover-body code" : "cover-body", tabindex: 0 }, ...inside);
    cover.replaceChildren(body, foot);
    fitLetters(cover, body);
    body.scrollTop = top;
  }

  function codeCard() {
    const { qr, address, problem } = data;
    const picture = qr ? qrPicture(qr) : "";
    return [
      el("div", { class: "join" }, el("p", { class: "about", text: data.title }), el("h1", { text: "Join this class" }), el("p", { class: "big-code", text: data.code }),
        problem ? el("p", { class: "problem", text: problem }) : "", el("p", { class: "address", text: address.replace(/^https?:\/\//, "") }),
        el("p", { class: "hint", text: "No account and no name: one vote a browser." })),
      picture,
    ].filter(Boolean);
  }

  function questionCard() {
    const after = [movedWords(data.moved), knownWords(data.reveal)].filter(Boolean).map((words) => el("p", { class: "after", text: words }));
    return [el("p", { class: "about", text: data.title }), el("h1", { text: data.words }), reasonOf(data), ...after, optionList(data)].filter(Boolean);
  }

  const drawClock = () => (clock.textContent = clockWords((performance.now() - began) / 1000));
  const ticking = setInterval(drawClock, 500);

  function toggle(node, on) {
    const open = node.matches(":popover-open");
    if (on && !open) {
      node.showPopover?.();
      node.focus({ preventScroll: true });
    }
    if (!on && open) node.hidePopover();
  }

  function raise() {
    if (!cover.matches(":popover-open")) return;
    cover.hidePopover();
    cover.showPopover();
    cover.focus({ preventScroll: true });
  }

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
      window.removeEventListener("keydown", pressed, true);
      window.removeEventListener("resize", refit);
      document.documentElement.style.removeProperty("--class-bar");
    },
  };
}

function qrPicture({ size, path }) {
  const sign = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const squares = document.createElementNS("http://www.w3.org/2000/svg", "path");
  for (const [key, value] of Object.entries({ viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": "QR code of the address", class: "qr", "shape-rendering": "crispEdges" })) sign.setAttribute(key, value);
  squares.setAttribute("d", path);
  sign.append(squares);
  return sign;
}
