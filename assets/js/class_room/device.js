// Entry point: a learner's device. Streamlit calls it each second with what the class sees; the device sends its vote. No account and no
// name: the browser keeps a random token, so that it has one vote however often the page is loaded.
import { el } from "../player/dom.js";
import { repeated } from "../player/outbox.js";
import { whenUnmounted } from "../player/unmounted.js";
import { goingOnWords, learnerWords } from "./class_model.js";
import { optionList, reasonOf } from "./options.js";

const TOKEN_COOKIE = "palimpsest_class";
const TOKEN_SECONDS = 365 * 24 * 60 * 60;
const SENDS_AGAIN = 3000; // milliseconds after which a vote that was not answered is sent again: it counts once however often it comes
const devices = new WeakMap();

export default function (component) {
  const { data, parentElement, setStateValue } = component;
  let device = devices.get(parentElement);
  if (!device) devices.set(parentElement, (device = createDevice(parentElement.querySelector(".class-device"), (name, value) => device.tell(name, value))));
  device.tell = setStateValue;
  device.receive(data);
  return whenUnmounted(parentElement, () => {
    device.destroy();
    devices.delete(parentElement);
  });
}

function createDevice(root, send) {
  let data = null;
  let waits = null; // the vote that is on its way: step, round, option
  const sending = repeated(report, () => waits, SENDS_AGAIN);
  const unfolded = new Set(); // options of this question whose words are shown whole
  let drawnAs = "";

  function receive(given) {
    const isNew = data && [given.asked, given.phase, given.round].join() !== [data.asked, data.phase, data.round].join();
    if (isNew) document.querySelector('[data-testid="stMain"]')?.scrollTo({ top: 0 }); // what is new stands at the top
    if (data?.asked !== given.asked) unfolded.clear();
    data = given;
    document.cookie = `${TOKEN_COOKIE}=${data.token}; path=/; SameSite=Lax; max-age=${TOKEN_SECONDS}`;
    const over = waits && (data.phase !== "voting" || waits.step !== data.asked || waits.round !== data.round);
    if (over || data.problem || (waits && data.mine === waits.option)) waits = null;
    draw();
  }

  function vote(option) {
    waits = { step: data.asked, round: data.round, option };
    sending.now();
    draw();
  }

  function fold(option) {
    if (!unfolded.delete(option)) unfolded.add(option);
    draw();
  }

  function report() {
    send("vote", { ...waits, at: Date.now() });
  }

  function draw() {
    const as = JSON.stringify([data, waits, [...unfolded]]);
    if (as === drawnAs) return;
    const focused = root.getRootNode().activeElement;
    const item = focused?.closest("li");
    const at = item ? [...item.parentElement.children].indexOf(item) : -1;
    const kind = focused?.classList.contains("whole") ? "whole" : "option";
    drawnAs = as;
    root.replaceChildren(head(), data.phase === "reading" ? waiting() : question());
    if (at >= 0) root.querySelectorAll(".options li")[at]?.querySelector(`button.${kind}`)?.focus({ preventScroll: true });
  }

  const head = () => el("p", { class: "class-head" }, el("span", { text: `Class ${data.code}` }), el("span", { text: `step ${data.at + 1} of ${data.steps}` }));

  function waiting() {
    const alone = data.loose && el("button", { type: "button", class: "tool alone", text: data.alone ? "Follow the class again" : "Look through the reading yourself", on: { click: () => send("alone", !data.alone) } });
    return el("section", {}, el("p", { class: "about", text: "The question that the model reads for" }), el("h1", { text: data.title }), el("p", { class: "says", role: "status", text: goingOnWords(data) }), el("p", { class: "hint", text: "When there is a vote, it comes up here." }), alone || "");
  }

  function question() {
    const mine = waits ? waits.option : data.mine;
    const open = data.phase === "voting";
    const told = el("p", { class: open && data.mine !== null && !waits ? "status in" : "status", role: "status", text: data.problem || learnerWords(data, waits) });
    const after = data.after.map((words) => el("p", { class: "after", text: words }));
    return el("section", {}, el("p", { class: "about", text: data.title }), el("h1", { text: data.words }), told, reasonOf(data), ...after, optionList(data, { vote: open ? vote : null, picked: mine, folds: fold, unfolded }));
  }

  return { receive, destroy: sending.end };
}
