// The table's panel: where annotators of one reading differ, decided beside its player. It follows the player's step and moves it, keeps
// every change until the server has it (../outbox.js), and puts every string on the page as text. What keys decide is in deciding.js.
import { html, render } from "../../../vendor/preact.js";
import { hear, tell } from "../../player/bus.js";
import { el } from "../../player/dom.js";
import { joinKeys, keyRowsDrawn } from "../../player/keymap.js";
import { createCodes } from "../codes.js";
import { createDeciding } from "./deciding.js";
import { currentValue, textField } from "../fields.js";
import { Unsaved } from "../lists.js";
import { notApplied, standing } from "../moves.js";
import { createOutbox } from "../outbox.js";
import { pressDepth, pressKnown, waitForPlayer } from "../page_hooks.js";
import { createItems } from "./items.js";
import { agreedList, notesList } from "./lists.js";
import { tool } from "../tool.js";

const REASON = { id: "reason", kind: "decision", target: { field: "reason" } };

export function createTable(root, first, send) {
  const panel = { data: first, at: 0, send, line: null };
  const where = { project: first.project, run: first.run, by: first.annotator, desk: "table" };
  const outbox = createOutbox({ seed: first.seed, where, send: (message) => panel.send("said", message), changed: () => draw() });
  const deciding = createDeciding({ outbox, data: () => panel.data });
  const codeName = (id) => { const code = panel.data.codes.find((one) => one.id === id); return code ? `${code.id} ${code.name}` : id; };
  const describe = (item, value) => {
    if (value?.codes) return value.codes.map(codeName).join(", ") || "No code";
    return item?.options.find(([stored]) => JSON.stringify(stored) === JSON.stringify(value))?.[1] ?? String(value?.words ?? "");
  };
  const names = { decision: ({ id, value }) => [id === REASON.id ? "Reason" : (deciding.item(id)?.title ?? id), describe(deciding.item(id), value)] };

  const progress = el("p", { class: "progress" });
  const state = el("span", { class: "state", role: "status" });
  const previous = tool("‹", "[", () => open(panel.data.progress.previous));
  const following = tool("›", "]", () => open(panel.data.progress.following));
  for (const [button, name] of [[previous, "Previous reading"], [following, "Following reading"]]) for (const say of ["aria-label", "title"]) button.setAttribute(say, name);
  const next = tool("Next to decide", "Enter", () => forward(), "main");
  const message = el("p", { class: "message", role: "alert" });
  const unsaved = el("div", { class: "blocked", role: "alert" });
  const elsewhere = el("div", { class: "unsaved-links" });
  const about = el("p", { class: "about standing", role: "status" });
  const whole = el("div", { class: "row whole-side", role: "group", "aria-label": "Decide the whole reading" });
  const reason = textField({ outbox, title: "Reason, if you want to give one", key: "r", about: () => REASON, toValue: (words) => ({ words }), toText: ({ words }) => words, longest: first.longest, rows: 2 });
  const codes = createCodes({ chosen: (code) => codeChosen(code), closed: () => {} });
  const items = createItems({ deciding, codeName, look, pick, other });
  const agreed = agreedList({ look });
  const notes = notesList({ look, show: (place) => tell(first.run, "scroll", { place: { start: place[0], above: -40 } }) });
  const keyList = el("section", { class: "key-list", hidden: "", "aria-label": "Keys" });
  const announcer = el("p", { class: "visually-hidden", "aria-live": "polite" });
  const opener = el("button", { type: "button", class: "tool opener", "aria-expanded": "false", on: { click: () => unfold() } }, el("span", { text: "Decide" }), el("kbd", { text: "p", "aria-hidden": "true" }));
  const help = tool("Keys", "?", () => showKeys());
  const undo = tool("Undo", "u", () => outbox.undo());

  root.replaceChildren(
    el("div", { class: "bar" }, opener, progress, state, el("div", { class: "row moves" }, previous, following, next), message, unsaved, elsewhere),
    el(
      "div", { class: "body" }, keyList,
      el("section", { class: "differing", "aria-label": "To decide" }, el("div", { class: "head" }, about, el("span", { class: "row" }, undo, help)), whole, items.node),
      el("section", { "aria-label": "Reason" }, reason.node),
      agreed.node, notes.node,
    ),
    announcer,
  );

  function unfold(on = !root.classList.contains("open")) {
    root.classList.toggle("open", on);
    opener.setAttribute("aria-expanded", String(on));
  }
  unfold(true);

  // Deciding
  function take(key) {
    const count = deciding.take(key);
    message.textContent = count ? "" : nothing(key);
    const left = deciding.left().length;
    if (count) announcer.textContent = left ? `${left} left to decide` : "Decided. Enter goes to the next reading.";
    draw();
    items.reveal(deciding.current());
  }
  function nothing(key) {
    if (key !== "b") return panel.data.annotators[Number(key) - 1] ? `${panel.data.annotators[Number(key) - 1]} gave no answer to this.` : `There is no annotator ${key}.`;
    return "Both can be taken only for codes: a field has one value. Take a side, or another value with o.";
  }
  function pick(name, key) {
    deciding.go(name);
    if (deciding.value(name) && JSON.stringify(deciding.value(name)) === JSON.stringify(panel.data.takes[key]?.[name])) deciding.withdraw(name);
    else take(key);
    draw();
  }
  function other(name = deciding.current()) {
    const item = deciding.item(name);
    if (!item) return void (message.textContent = "Choose an item with ↑ or ↓ first.");
    deciding.go(name);
    unfold(true);
    if (item.about !== "step") return items.focusOther(name);
    items.host(name, codes.node);
    codes.open(panel.data.codes, { what: `${item.title}: add a code, or take it out` });
    draw();
    codes.node.scrollIntoView({ block: "nearest" });
  }
  function codeChosen(code) {
    if (code) deciding.toggleCode(deciding.current(), code.id);
    draw();
  }

  // The player
  function look(step) {
    tell(first.run, "go", { at: step - 1 });
  }
  function lookNext() {
    const steps = deciding.steps();
    if (!steps.length) return void (message.textContent = "No step is named here.");
    look(steps.find((step) => step > panel.at + 1) ?? steps[0]);
  }

  // Other readings
  function open(run) {
    if (run === null || run === undefined) return void (message.textContent = "There is no other reading this way.");
    outbox.whenIdle(() => {
      if (outbox.blocked().length) message.textContent = `Some changes are not saved yet. Resolve them first.${notApplied(panel.line.refuse("Enter"))}`;
      else outbox.afterSaving({ do: "go", with: run });
    });
  }
  function forward() {
    const { next: run } = panel.data.progress;
    if (run) return open(run);
    const left = deciding.left().length;
    if (left) message.textContent = `No other reading has anything to decide; ${left} left here.`;
    else open("");
  }

  // Drawing
  function draw() {
    const { data } = panel;
    const left = deciding.left().length;
    const { at, of, others } = data.progress;
    progress.textContent = [at ? `Reading ${at} of ${of}` : "Nothing differs", others ? `${others} more to decide` : "no other to decide"].join(" · ");
    const wrong = outbox.blocked().length > 0;
    state.textContent = standing({ outbox, line: panel.line });
    state.className = `state ${wrong ? "wrong" : ""}`;
    about.textContent = !data.items.length ? "The annotators agree." : left ? `${left} of ${data.items.length} to decide` : "◆ All decided";
    about.classList.toggle("all", !left && data.items.length > 0);
    previous.disabled = data.progress.previous === null;
    following.disabled = data.progress.following === null;
    next.classList.toggle("main", !left || !data.items.length);
    undo.disabled = !outbox.canUndo();
    drawWhole(data);
    items.draw(data, { at: panel.at });
    reason.draw();
    agreed.draw(data);
    notes.draw(data);
    render(html`<${Unsaved} blocked=${outbox.blocked()} stored=${outbox.get} names=${names} resolve=${outbox.resolve} />`, unsaved);
  }
  let sidesOf = "";
  function drawWhole({ annotators, items: shown }) {
    const key = JSON.stringify([annotators, shown.length > 0]);
    if (key === sidesOf) return;
    sidesOf = key;
    whole.hidden = !shown.length;
    const all = annotators.slice(0, 9).map((name, n) => tool(name, String(n + 1), () => takeAll(String(n + 1))));
    whole.replaceChildren(el("span", { class: "lead", text: "Take all of" }), ...all, tool(annotators.length > 2 ? "All their codes" : "Both’s codes", "b", () => takeAll("b")));
  }
  function takeAll(key) {
    deciding.go("");
    take(key);
  }
  const tellLanes = () => tell(first.run, "sent", { what: { lanes: panel.data.lanes } });

  const move = (by) => {
    deciding.move(by);
    message.textContent = "";
    unfold(true);
    draw();
    items.reveal(deciding.current());
  };
  function showKeys(on = keyList.hidden) {
    keyList.replaceChildren(el("h2", { text: "Keys" }), keyRowsDrawn());
    keyList.hidden = !on;
  }

  const key = (keys, does, run) => ({ keys: [keys].flat(), does, run });
  const sides = first.annotators.slice(0, 9).map((_, n) => String(n + 1));
  const tableKeys = [
    { ...key(sides, "take this annotator’s side, of the whole reading or of the current item", (event) => take(event.key)), shown: "1 2 …" },
    key("b", "both: every code that somebody gave", () => take("b")),
    { ...key("ArrowUp", "choose the item above; Esc goes back to the whole reading", () => move(-1)), held: true },
    { ...key("ArrowDown", "choose the item below", () => move(1)), held: true },
    key("o", "another value for the item", () => other()),
    key("x", "withdraw the decision on the item", () => { deciding.withdraw(); draw(); }),
    key("s", "look at the step, then at the next one named", lookNext),
    key("g", "show or hide the known answer", pressKnown),
    key("z", "Simple or Full", pressDepth),
    key("r", "reason for the decisions on this reading", () => { unfold(true); reason.field.focus(); }),
    key("u", "undo", () => outbox.undo()),
    key("a", "show or fold what they agree on", () => agreed.toggle()),
    key("n", "show or fold notes", () => notes.toggle()),
    key("Enter", "next reading with something to decide", () => forward()),
    key("]", "following reading", () => open(panel.data.progress.following)),
    key("[", "previous reading", () => open(panel.data.progress.previous)),
    key("p", "open or close this panel (on a narrow page)", () => unfold()),
    key("Escape", "leave a field; back to the whole reading", () => { showKeys(false); deciding.go(""); message.textContent = ""; draw(); }),
    key("?", "show or hide these keys", () => { unfold(true); showKeys(); }),
  ];
  const playerCame = waitForPlayer(() => panel.line.apply());
  const settled = () => playerCame() && !outbox.waiting();
  panel.line = joinKeys({ place: "desk", root, keys: () => tableKeys, asleep: () => codes.isOpen(), fields: true, settled, changed: draw });
  const stopHearing = hear(first.run, {
    at: ({ at }) => { panel.at = at; draw(); playerCame.now(); },
    ready: () => { tellLanes(); tell(first.run, "where"); },
  });
  const onReturn = () => document.visibilityState === "visible" && outbox.refresh();
  document.addEventListener("visibilitychange", onReturn);

  panel.receive = (data) => {
    panel.data = data;
    if (data.note) message.textContent = data.note;
    outbox.receive(data);
    const behind = outbox.unsavedElsewhere();
    elsewhere.replaceChildren(...behind.slice(0, 3).map((run) => el("button", { type: "button", class: "link", text: "Unsaved decisions on another reading: go there", on: { click: () => outbox.afterSaving({ do: "go", with: run }) } })));
    draw();
    tellLanes();
    panel.line.apply();
  };
  panel.destroy = () => {
    panel.line.leave(outbox.waiting());
    playerCame.end();
    stopHearing();
    outbox.destroy();
    document.removeEventListener("visibilitychange", onReturn);
  };
  panel.receive(first);
  outbox.start();
  tell(first.run, "where");
  return panel;
}
