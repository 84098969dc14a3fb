// The label panel: one annotator's labels of one reading, beside its player. It follows the player's step, keeps changes until the
// server has them (outbox.js), and puts every string on the page as text.
import { hear, tell } from "../player/bus.js";
import { el } from "../player/dom.js";
import { idOf, createOutbox } from "./outbox.js";
import { createCodes } from "./codes.js";
import { choice, corrected, correctionId, decisive, standing, stepCodes, words } from "./fields.js";
import { hintList, inTheWay, othersSaid, soFar } from "./lists.js";
import { countTime, openBelow, selectedOnPage, short } from "./page_hooks.js";
import { keyList, listenToKeys } from "./keys.js";

const NO_CODE = { id: "", name: "", definition: "" };

export function createBench(root, first, say) {
  const bench = { data: first, at: 0, picked: null, lastCode: "", sure: false };
  const steps = () => Math.max(1, bench.data.steps);
  const locked = () => bench.data.standing !== "open";
  const can = (kind) => bench.data.writes.includes(kind);
  const coding = () => can("step");
  const codeOf = (id) => {
    const code = bench.data.codes.find((one) => one.id === id);
    return code ? { ...code, called: `${code.id} ${code.name}` } : { ...NO_CODE, called: id };
  };
  const names = {
    code: codeOf,
    field: (name) => ({ decisive: "Decisive step", note: "Note on the reading" })[name] ?? bench.data.fields.find((one) => one.name === name)?.title ?? name,
    value: (name, value) => bench.data.fields.find((one) => one.name === name)?.values.find(([id]) => id === value)?.[1] ?? value,
  };
  const where = { project: first.project, run: first.run, by: first.annotator };
  const outbox = createOutbox({ seed: first.seed, where, send: (message) => bench.say("said", message), changed: () => draw() });
  bench.say = say;

  // The labels that this panel writes, by what they refer to.
  const stepped = (kind) => () => {
    const target = { step: bench.at + 1 };
    const there = [...outbox.all().values()].find((one) => one.kind === kind && !one.removed && one.target.step === target.step);
    const id = kind === "correction" ? correctionId(first.seed, target.step) : idOf(first.seed, kind, target.step);
    return can(kind) && bench.data.steps ? { id: there?.id ?? id, kind, target } : null;
  };
  const noteOnAll = () => {
    if (coding()) return { id: bench.data.ids.note, kind: "reading", target: { field: "note" } };
    const there = [...outbox.all().values()].find((one) => one.kind === "note" && !one.removed && !one.target.step);
    return can("note") ? { id: there?.id ?? idOf(first.seed, "note", "all"), kind: "note", target: { step: null } } : null;
  };

  // Fields
  const longest = first.longest;
  const field = (title, keyed, about, wrap, unwrap, rows) => words({ outbox, title, keyed, about, wrap, unwrap, longest, rows });
  const note = field("Note on this step", "n", stepped("note"), (typed) => ({ words: typed, group: standing(outbox, stepped("note")().id)?.group ?? "" }), (value) => value.words, 2);
  const right = corrected({ outbox, about: stepped("correction"), longest, choose: () => choose() });
  const noteAll = field("Note on the whole reading", "a", noteOnAll, (typed) => (coding() ? { value: typed } : { words: typed, group: standing(outbox, noteOnAll().id)?.group ?? "" }), (value) => value.words ?? value.value, 3);
  const choices = first.fields.map((one) => choice({ outbox, field: one, id: first.ids[one.name] }));
  const turning = coding() ? decisive({ outbox, id: first.ids.decisive, longest, steps: first.steps }) : null;
  const given = stepCodes({ outbox, codeOf, longest });
  const codes = createCodes({ chosen: codeChosen, closed: () => (bench.marking = false) });
  const addCode = el("button", { class: "tool wide", type: "button", on: { click: () => openCodes() } }, el("span", { text: "Give this step a code" }), el("kbd", { text: "c", "aria-hidden": "true" }));
  const picked = el("p", { class: "picked" });
  const find = el("input", { type: "search", "aria-label": "Words of the text to mark", placeholder: "words of the text to mark", maxlength: 300, hidden: "", on: { keydown: (event) => event.key === "Enter" && seek() } });
  const markIt = el("button", { class: "tool wide", type: "button", on: { click: () => mark() } }, el("span", { text: "Mark words" }), el("kbd", { text: "m", "aria-hidden": "true" }));

  // Progress and navigation
  const state = el("span", { class: "state", role: "status" });
  const progress = el("p", { class: "progress" });
  const tool = (text, key, act, kind = "") => el("button", { type: "button", class: `tool ${kind}`, on: { click: act } }, el("span", { text }), el("kbd", { text: key, "aria-hidden": "true" }));
  const buttons = {
    previous: tool("Back", "[", () => move("previous")), next: tool("Next", "]", () => move("next")), finish: tool("Finish", "f", finish, "main"),
    skip: tool("Skip", "s", () => skip()), undo: tool("Undo", "u", () => outbox.undo()), keys: tool("Keys", "?", () => keys.toggle()),
  };
  const reopen = el("button", { type: "button", class: "tool wide", text: "Open it again to change labels", on: { click: () => outbox.doThen({ do: "reopen", with: "" }) } });
  const reason = el("input", { type: "text", "aria-label": "Why it is skipped", placeholder: "why? then Enter", maxlength: 1000, on: { keydown: (event) => event.key === "Enter" && skipNow() } });
  const skipping = el("div", { class: "row skipping", hidden: "" }, reason, el("button", { type: "button", class: "tool", text: "Skip it", on: { click: skipNow } }));
  const told = el("p", { class: "told", role: "alert" });
  const left = el("div", { class: "left-behind" });
  const about = el("p", { class: "about" });
  const keys = keyList();
  const way = inTheWay({ outbox, names });
  const list = soFar({ outbox, names, go });
  const others = othersSaid({ names });
  const hints = hintList({ ask: () => outbox.doThen({ do: "hints", with: "" }), go });
  const heading = el("h2", {});
  const heard = el("p", { class: "heard", "aria-live": "polite" });
  const opener = el("button", { type: "button", class: "tool opener", "aria-expanded": "false", on: { click: () => open() } }, el("span", { text: "Labels" }), el("kbd", { text: "b", "aria-hidden": "true" }));

  root.replaceChildren(
    el("div", { class: "bar" }, opener, progress, state, el("div", { class: "row moves" }, buttons.previous, buttons.finish, buttons.skip, buttons.next), skipping, told, way.node, left),
    el(
      "div", { class: "body" }, about, keys.node, reopen,
      el("section", { class: "at-step", "aria-label": "This step" }, el("div", { class: "head" }, heading, el("span", { class: "row" }, buttons.undo, buttons.keys)), given.node, addCode, codes.node, turning?.node ?? "", note.node, right.node),
      el("section", { "aria-label": "Marked words" }, markIt, find, picked),
      el("section", { class: "whole", "aria-label": "The whole reading" }, el("div", { class: "head" }, el("h2", { text: "The whole reading" })), el("div", { class: "pairs" }, ...choices.map(({ node }) => node)), noteAll.node),
      hints.node, list.node, others.node,
    ),
    heard,
  );

  function open(on = !root.classList.contains("open")) {
    root.classList.toggle("open", on);
    opener.setAttribute("aria-expanded", String(on));
  }
  function focus(target) {
    if (!target || target.closest("[hidden]")) return;
    open(true);
    target.focus();
    target.scrollIntoView({ block: "nearest" });
  }
  const announce = (words) => (heard.textContent = words);

  // Codes and marks
  function openCodes(typed = "") {
    if (locked() || !coding()) return;
    open(true);
    const what = bench.marking ? "Mark these words with" : `Code for step ${bench.at + 1}`;
    codes.open(bench.data.codes, { what, typed, first: bench.lastCode, without: bench.marking });
  }
  function codeChosen(code) {
    if (code) bench.lastCode = code.id;
    if (bench.marking) return markWith(code);
    const target = { step: bench.at + 1 };
    const there = [...outbox.all().values()].find((one) => one.kind === "step" && one.target.step === target.step && one.value.code === code.id && !one.removed);
    const id = there?.id ?? idOf(first.seed, "step", target.step, code.id);
    if (!standing(outbox, id)) outbox.put({ id, kind: "step", target, value: { code: code.id, severity: 2, note: "" } });
    else if (there?.again) outbox.confirm(id);
    given.choose(id);
    announce(`${codeOf(code.id).called} at step ${target.step}`);
  }
  function mark() {
    if (locked() || !can("span")) return;
    if (!bench.picked) {
      find.hidden = false;
      focus(find);
    } else if (coding()) {
      bench.marking = true;
      openCodes();
    } else markWith(null);
  }
  function markWith(code) {
    bench.marking = false;
    const { on, number, start, end } = bench.picked;
    const target = number === undefined ? { on, start, end } : { on, number, start, end };
    const id = idOf(first.seed, "span", target.on, target.number ?? "", target.start, target.end, code?.id ?? "");
    outbox.put({ id, kind: "span", target, value: { code: code?.id ?? null, note: "" } });
    announce("Marked");
    pick(null);
  }
  function pick(found) {
    bench.picked = found?.start === undefined ? null : found;
    const said = found?.none ? "These words are not in the text that is here." : bench.picked ? `Selected: “${short(found.words)}”` : "";
    picked.textContent = said;
    if (bench.picked) find.hidden = true;
  }
  function seek() {
    tell(first.run, "select", { words: find.value });
    if (!bench.picked) return;
    find.value = "";
    find.blur();
    mark();
  }

  // Moving to other readings
  function unsettled() {
    if (!outbox.blocked().length) return false;
    told.textContent = "Something is not saved yet: decide on it first.";
    return true;
  }
  function move(way) {
    const run = bench.data.progress[way];
    if (!run) return void (told.textContent = way === "next" ? "There is no other reading left for you. Finish this one with f." : "There is no reading before this one.");
    outbox.whenIdle(() => unsettled() || outbox.doThen({ do: "go", with: run }));
  }
  function finish() {
    if (locked()) return move("next");
    outbox.whenIdle(() => {
      if (unsettled()) return;
      const missing = bench.data.missing;
      if (missing.length && !bench.sure) {
        bench.sure = true;
        told.textContent = `Not said yet: ${missing.join(", ")}. Press f again to finish it as it is.`;
      } else outbox.doThen({ do: "finish", with: "" });
    });
  }
  function skip() {
    if (locked()) return;
    skipping.hidden = !skipping.hidden;
    if (!skipping.hidden) reason.focus();
  }
  function skipNow() {
    if (!reason.value.trim()) return void (told.textContent = "Say in a few words why it is skipped.");
    outbox.whenIdle(() => unsettled() || outbox.doThen({ do: "skip", with: reason.value }));
  }
  function go({ target, value }) {
    const step = target.step ?? value?.value?.step;
    if (step) tell(first.run, "go", { at: step - 1 });
    else if (target.on === "text") tell(first.run, "scroll", { place: { start: target.start, above: -40 } });
  }

  // Go to the form below the player that corrects the step; on a narrow page this panel would cover it.
  function choose() {
    if (!bench.data.corrects) return;
    open(false);
    openBelow(".st-key-correction");
  }

  // Drawing
  function draw() {
    const { data } = bench;
    const [shut, at] = [locked(), bench.at];
    const mine = [...new Set([...outbox.all().values(), ...outbox.drafts()].filter((one) => one.kind === "step" && one.target.step === at + 1).map(({ id }) => id))];
    heading.textContent = data.steps ? `Step ${at + 1}` : "No step";
    given.draw({ locked: shut, ids: mine.filter((id) => standing(outbox, id)) });
    addCode.hidden = !coding();
    addCode.disabled = shut;
    turning?.draw({ locked: shut, step: at });
    for (const each of [note, noteAll]) each.draw({ locked: shut });
    right.draw({ locked: shut, offered: data.corrects });
    for (const each of choices) each.draw({ locked: shut });
    markIt.disabled = shut;
    reopen.hidden = !shut;
    for (const each of [buttons.finish, buttons.skip]) each.hidden = shut;
    buttons.undo.disabled = shut || !outbox.canUndo();
    buttons.previous.disabled = !data.progress.previous;
    buttons.next.disabled = !data.progress.next;
    const { at: here, of, done, skipped } = data.progress;
    progress.textContent = [`Reading ${here} of ${of}`, `${done} done`, skipped ? `${skipped} skipped` : "", shut ? `this one is ${data.standing}` : ""].filter(Boolean).join(" · ");
    const wrong = outbox.blocked().length > 0;
    state.textContent = wrong ? "! not saved" : outbox.saving() ? "saving …" : "saved";
    state.className = `state ${wrong ? "wrong" : ""}`;
    about.textContent = shut ? `${data.standing === "done" ? "Your labels of this reading are in." : `You skipped this reading: ${data.skipped}`}` : data.about;
    hints.node.hidden = !coding();
    hints.draw(data);
    list.draw({ locked: shut });
    others.draw(data);
    way.draw();
    keys.draw({ codes: coding() });
    tellMarks();
  }
  let marks = "";
  function tellMarks() {
    const spans = [...new Set([...outbox.all().keys(), ...outbox.drafts().map(({ id }) => id)])]
      .map((id) => ({ ...(outbox.get(id) ?? outbox.entry(id)), value: standing(outbox, id) }))
      .filter(({ kind, target, value }) => value && kind === "span" && target.on === "text").map(({ target }) => [target.start, target.end]);
    const key = JSON.stringify(spans);
    if (key === marks) return;
    marks = key;
    tell(first.run, "sent", { what: { labelled: spans } });
  }

  const acts = {
    c: openCodes, d: () => !locked() && turning?.toggle(), w: () => focus(turning?.why.field), v: () => focus(given.noteField()),
    n: () => focus(note.field), a: () => focus(noteAll.field), r: () => focus(right.field), x: choose, m: mark, u: () => !locked() && outbox.undo(), f: finish, s: skip,
    h: () => coding() && outbox.doThen({ do: "hints", with: "" }), b: () => open(), Enter: () => move("next"), "]": () => move("next"), "[": () => move("previous"),
    "?": () => { open(true); keys.toggle(); }, Escape: () => { keys.toggle(false); skipping.hidden = true; told.textContent = ""; bench.sure = false; },
    ...Object.fromEntries(choices.map(({ field: pick }, n) => [first.fields[n].key, () => focus(pick)])),
    ...(coding() ? Object.fromEntries([1, 2, 3].map((n) => [String(n), () => !locked() && given.severity(n)])) : {}),
  };
  const deaf = listenToKeys({ root, acts, letter: coding() ? openCodes : null, asleep: () => codes.isOpen() });
  const ears = hear(first.run, {
    at: ({ at }) => { if (at !== bench.at) codes.close(); bench.at = Math.min(at, steps() - 1); draw(); },
    ready: () => { marks = ""; tellMarks(); tell(first.run, "where"); },
    selected: (found) => pick(found.none || found.words ? found : null),
  });
  const elsewhere = selectedOnPage((found) => pick(found));

  const stopped = countTime({ open: () => !locked(), add: outbox.add, spent: outbox.spent, tell: outbox.look });
  const back = () => document.visibilityState === "visible" && outbox.look();
  document.addEventListener("visibilitychange", back);

  bench.taken = (data) => {
    const opened = bench.data.standing !== data.standing;
    if (JSON.stringify(data.missing) !== JSON.stringify(bench.data.missing)) bench.sure = false;
    bench.data = data;
    told.textContent = data.note || (data.n && !bench.sure ? "" : told.textContent);
    outbox.taken(data);
    if (opened && !locked()) for (const { id } of outbox.blocked()) outbox.decide(id, "mine");
    const behind = outbox.elsewhere();
    left.replaceChildren(...behind.slice(0, 3).map((run) => el("button", { type: "button", class: "link", text: "What you typed at another reading is not saved yet: go there", on: { click: () => outbox.doThen({ do: "go", with: run }) } })));
    draw();
  };
  bench.destroy = () => {
    deaf();
    ears();
    elsewhere();
    outbox.destroy();
    stopped();
    document.removeEventListener("visibilitychange", back);
  };
  bench.taken(first);
  outbox.start();
  tell(first.run, "where");
  return bench;
}
