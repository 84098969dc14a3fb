// The table's panel: where annotators of one reading differ, decided beside its player. It follows the player's step and moves it, keeps
// every change until the server has it (../outbox.js), and puts every string on the page as text. What keys decide is in deciding.js.
import { html, render } from "../../../vendor/preact.js";
import { hear, tell } from "../../player/bus.js";
import { KeyRows, joinKeys } from "../../player/keymap.js";
import { createCodes } from "../codes.js";
import { createDeciding } from "./deciding.js";
import { currentValue, textField } from "../fields.js";
import { Unsaved } from "../lists.js";
import { NOT_SAVED, notApplied, standing } from "../moves.js";
import { createOutbox } from "../outbox.js";
import { pressDepth, pressKnown, waitForPlayer } from "../page_hooks.js";
import { Items } from "./items.js";
import { Agreed, Notes } from "./lists.js";
import { Tool } from "../tool.js";

const REASON = { id: "reason", kind: "decision", target: { field: "reason" } };

export function createTable(root, first, send) {
  const panel = { data: first, at: 0, send, line: null };
  const where = { project: first.project, run: first.run, by: first.annotator, desk: "table" };
  const outbox = createOutbox({ seed: first.seed, where, send: (message) => panel.send("said", message), changed: () => draw(), may: () => mayLeave() });
  const deciding = createDeciding({ outbox, data: () => panel.data });
  const codeName = (id) => { const code = panel.data.codes.find((one) => one.id === id); return code ? `${code.id} ${code.name}` : id; };
  const describe = (item, value) => {
    if (value?.codes) return value.codes.map(codeName).join(", ") || "No code";
    return item?.options.find(([stored]) => JSON.stringify(stored) === JSON.stringify(value))?.[1] ?? String(value?.words ?? "");
  };
  const names = { decision: ({ id, value }) => [id === REASON.id ? "Reason" : (deciding.item(id)?.title ?? id), describe(deciding.item(id), value)] };

  const reason = textField({ outbox, title: "Reason, if you want to give one", key: "r", about: () => REASON, toValue: (words) => ({ words }), toText: ({ words }) => words, longest: first.longest, rows: 2 });
  const codes = createCodes({ chosen: (code) => codeChosen(code), closed: () => picked() });
  const held = ({ node }) => (place) => place && node.parentNode !== place && place.replaceChildren(node);
  const [holdsReason, picker] = [held(reason), html`<div ref=${held(codes)} />`];
  let [picking, message, announced, showsKeys, behind] = ["", "", "", false, []]; // picking: the item that a code is being chosen for

  function say(words) {
    message = words;
    draw();
  }
  function unfold(on = !root.classList.contains("open")) {
    root.classList.toggle("open", on);
    draw();
  }

  // Deciding
  function take(key) {
    const count = deciding.take(key);
    const left = deciding.left().length;
    if (count) announced = left ? `${left} left to decide` : "Decided. Enter goes to the next reading.";
    say(count ? "" : nothing(key));
    reveal();
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
    if (!item) return say("Choose an item with ↑ or ↓ first.");
    deciding.go(name);
    picking = item.about === "step" ? name : "";
    unfold(true);
    if (!picking) return lineOf(name).querySelector("select")?.focus();
    codes.open(panel.data.codes, { what: `${item.title}: add a code, or take it out` });
    codes.node.scrollIntoView({ block: "nearest" });
  }
  function codeChosen(code) {
    if (code) deciding.toggleCode(deciding.current(), code.id);
    picked();
  }
  function picked() {
    picking = "";
    draw();
  }
  const lineOf = (name) => root.querySelectorAll(".item")[panel.data.items.findIndex((item) => item.name === name)];
  const reveal = () => lineOf(deciding.current())?.scrollIntoView({ block: "nearest" });

  // The player
  function look(step) {
    tell(first.run, "go", { at: step - 1 });
  }
  const show = (place) => tell(first.run, "scroll", { place: { start: place[0], above: -40 } });
  function lookNext() {
    const steps = deciding.steps();
    if (!steps.length) return say("No step is named here.");
    look(steps.find((step) => step > panel.at + 1) ?? steps[0]);
  }

  // Other readings
  function open(run) {
    if (run === null || run === undefined) return say("There is no other reading this way.");
    outbox.afterSaving({ do: "go", with: run });
  }
  function mayLeave() {
    const stays = outbox.blocked().length > 0;
    if (stays) say(`${NOT_SAVED}${notApplied(panel.line.refuse("Enter"))}`);
    return !stays;
  }
  function forward() {
    const { next: run } = panel.data.progress;
    if (run) return open(run);
    const left = deciding.left().length;
    if (left) say(`No other reading has anything to decide; ${left} left here.`);
    else open("");
  }

  // Drawing
  function draw() {
    const { data } = panel;
    const left = deciding.left().length;
    const { at, of, others, previous, following } = data.progress;
    const isOpen = root.classList.contains("open");
    const isAll = !left && data.items.length > 0;
    const standingWords = !data.items.length ? "The annotators agree." : left ? `${left} of ${data.items.length} to decide` : "◆ All decided";
    const beside = (text, by, name, run) => html`<${Tool} ...${{ text, by, act: () => open(run), disabled: run === null, title: name, "aria-label": name }} />`;
    render(html`
      <div class="bar">
        <button type="button" class="tool opener" data-key="p" aria-expanded=${String(isOpen)} onClick=${() => unfold()}><span>Decide</span><kbd aria-hidden="true">p</kbd></button>
        <p class="progress">${[at ? `Reading ${at} of ${of}` : "Nothing differs", others ? `${others} more to decide` : "no other to decide"].join(" · ")}</p>
        <span class=${outbox.blocked().length ? "state wrong" : "state"} role="status">${standing({ outbox, line: panel.line })}</span>
        <div class="row moves">
          ${beside("‹", "[", "Previous reading", previous)}${beside("›", "]", "Following reading", following)}
          <${Tool} text="Next to decide" by="Enter" act=${forward} kind=${left ? "tool" : "tool main"} />
        </div>
        <p class="message" role="alert">${message}</p>
        <div class="blocked" role="alert"><${Unsaved} blocked=${outbox.blocked()} stored=${outbox.get} names=${names} resolve=${outbox.resolve} /></div>
        <div class="unsaved-links">${behind.slice(0, 3).map((run) => html`<button type="button" class="link" onClick=${() => outbox.afterSaving({ do: "go", with: run })}>Unsaved decisions on another reading: go there</button>`)}</div>
      </div>
      <div class="body">
        <section class="key-list" aria-label="Keys" hidden=${!showsKeys}>${showsKeys && html`<h2>Keys</h2><${KeyRows} />`}</section>
        <section class="differing" aria-label="To decide">
          <div class="head">
            <p class=${`about standing ${isAll ? "all" : ""}`} role="status">${standingWords}</p>
            <span class="row"><${Tool} text="Undo" by="u" act=${outbox.undo} disabled=${!outbox.canUndo()} /><${Tool} text="Keys" by="?" act=${() => showKeys()} /></span>
          </div>
          <div class="row whole-side" role="group" aria-label="Decide the whole reading" hidden=${!data.items.length}>${wholeSides(data)}</div>
          <${Items} ...${{ data, at: panel.at, deciding, codeName, picking, picker, acts: { look, pick, other } }} />
        </section>
        <section aria-label="Reason" ref=${holdsReason} />
        <${Agreed} agreed=${data.agreed} look=${look} /><${Notes} notes=${data.notes} look=${look} show=${show} />
      </div>
      <p class="visually-hidden" aria-live="polite">${announced}</p>`, root);
    reason.draw();
  }
  // Their keys stand on the current item instead, if there is one.
  function wholeSides({ annotators }) {
    const side = (text, key) => html`<${Tool} key=${key} text=${text} by=${key} act=${() => takeAll(key)} data-key=${deciding.current() ? null : key} />`;
    return html`<span class="lead">Take all of</span>${annotators.slice(0, 9).map((name, n) => side(name, String(n + 1)))}${side(annotators.length > 2 ? "All their codes" : "Both’s codes", "b")}`;
  }
  function takeAll(key) {
    deciding.go("");
    take(key);
  }
  const tellLanes = () => tell(first.run, "sent", { what: { lanes: panel.data.lanes } });

  const move = (by) => {
    deciding.move(by);
    message = "";
    unfold(true);
    reveal();
  };
  function showKeys(on = !showsKeys) {
    showsKeys = on;
    draw();
  }
  const fold = (name) => {
    const list = root.querySelector(`[data-folds="${name}"]`);
    list.open = !list.open;
  };

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
    key("a", "show or fold what they agree on", () => fold("a")),
    key("n", "show or fold notes", () => fold("n")),
    key("Enter", "next reading with something to decide", () => forward()),
    key("]", "following reading", () => open(panel.data.progress.following)),
    key("[", "previous reading", () => open(panel.data.progress.previous)),
    key("p", "open or close this panel (on a narrow page)", () => unfold()),
    key("Escape", "leave a field; back to the whole reading", () => { showsKeys = false; deciding.go(""); say(""); }),
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
    if (data.note) message = data.note;
    outbox.receive(data);
    behind = outbox.unsavedElsewhere();
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
    render(null, root);
  };
  root.classList.add("open");
  panel.receive(first);
  outbox.start({ open: true });
  tell(first.run, "where");
  return panel;
}
