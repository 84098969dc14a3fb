// The label panel: one annotator's labels of one reading, beside its player. It follows the player's step, keeps changes until the
// server has them (outbox.js), and puts every string on the page as text.
import { html, render } from "../../vendor/preact.js";
import { hear, tell } from "../player/bus.js";
import { el, reveal } from "../player/dom.js";
import { joinKeys, keyRowsDrawn } from "../player/keymap.js";
import { idOf, createOutbox } from "./outbox.js";
import { createCodes } from "./codes.js";
import { choiceField, correctionField, correctionId, currentValue, decisiveField, ownNow, stepCodeList, textField } from "./fields.js";
import { Hints, OthersLabels, OwnLabels, Unsaved, describeLabel, hintedStepAfter } from "./lists.js";
import { countTime, openBelow, pressDepth, pressKnown, waitForPlayer } from "./page_hooks.js";
import { createMarks } from "./marks.js";
import { createMoves, leaves, standing } from "./moves.js";
import { isAccepted, labelProposed, labelsAccepted, proposedAt, stillProposed, suggestedFate } from "./suggested.js";
import { tool } from "./tool.js";

const NO_CODE = { id: "", name: "", definition: "" };

export function createPanel(root, first, send) {
  const panel = { data: first, at: -1, lastCode: "", sure: false, line: null };
  const steps = () => Math.max(1, panel.data.steps);
  const placed = () => panel.at >= 0; // the player has said where it is; before that, no key writes to a step
  const locked = () => panel.data.standing !== "open";
  const can = (kind) => panel.data.writes.includes(kind);
  const coding = () => can("step");
  const codeOf = (id) => {
    const code = panel.data.codes.find((one) => one.id === id);
    return code ? { ...code, called: `${code.id} ${code.name}` } : { ...NO_CODE, called: id };
  };
  const names = {
    code: codeOf,
    field: (name) => ({ decisive: "Decisive step", note: "Note on the reading" })[name] ?? panel.data.fields.find((one) => one.name === name)?.title ?? name,
    value: (name, value) => panel.data.fields.find((one) => one.name === name)?.values.find(([id]) => id === value)?.[1] ?? value,
  };
  const where = { project: first.project, run: first.run, by: first.annotator };
  const post = (message) => (leaves(message.act) ? tell(first.run, "leave", { message }) : panel.send("said", message));
  const outbox = createOutbox({ seed: first.seed, where, send: post, changed: () => draw(), may: (act) => moves.mayLeave(act) });
  panel.send = send;

  // The labels that this panel writes, by what they refer to.
  const labelAtStep = (kind) => () => {
    const target = { step: panel.at + 1 };
    const there = [...outbox.labels().values()].find((one) => one.kind === kind && !one.removed && one.target.step === target.step);
    const id = kind === "correction" ? correctionId(first.seed, target.step) : idOf(first.seed, kind, target.step);
    return can(kind) && placed() && panel.data.steps ? { id: there?.id ?? id, kind, target } : null;
  };
  const noteOnReading = () => {
    if (coding()) return { id: panel.data.ids.note, kind: "reading", target: { field: "note" } };
    const there = [...outbox.labels().values()].find((one) => one.kind === "note" && !one.removed && !one.target.step);
    return can("note") ? { id: there?.id ?? idOf(first.seed, "note", "all"), kind: "note", target: { step: null } } : null;
  };

  // Fields
  const longest = first.longest;
  const field = (title, key, about, toValue, toText, rows) => textField({ outbox, title, key, about, toValue, toText, longest, rows });
  const note = field("Note on this step", "n", labelAtStep("note"), (typed) => ({ words: typed, group: currentValue(outbox, labelAtStep("note")().id)?.group ?? "" }), (value) => value.words, 2);
  const correction = correctionField({ outbox, about: labelAtStep("correction"), longest, choose: () => choose() });
  const readingNote = field("Note on the whole reading", "a", noteOnReading, (typed) => (coding() ? { value: typed } : { words: typed, group: currentValue(outbox, noteOnReading().id)?.group ?? "" }), (value) => value.words ?? value.value, 3);
  const choices = first.fields.map((one) => choiceField({ outbox, field: one, id: first.ids[one.name] }));
  const fate = suggestedFate({ accept });
  const decisive = coding() ? decisiveField({ outbox, id: first.ids.decisive, longest, steps: first.steps }) : null;
  const stepCodes = stepCodeList({ outbox, codeOf, longest });
  const codes = createCodes({ chosen: codeChosen, closed: () => marks.cancel() });
  const marks = createMarks({ run: first.run, seed: first.seed, outbox, may: () => !locked() && can("span"), chooseCode: coding() ? () => openCodes() : null, focus: (target) => focus(target), marked: () => announce("Marked") });
  const addCode = tool("Give this step a code", "c", () => openCodes(), "wide");

  // Progress and navigation
  const state = el("span", { class: "state", role: "status" });
  const progress = el("p", { class: "progress" });
  const moves = createMoves({ panel, outbox, locked });
  const { message, say, stay } = moves;
  const undo = tool("Undo", "u", () => outbox.undo());
  const unsavedLinks = el("div", { class: "unsaved-links" });
  const about = el("p", { class: "about" });
  const keyList = el("section", { class: "key-list", popover: "manual", "aria-label": "Keys" });
  const keysButton = tool("Keys", "?", () => showKeys());
  const unsaved = el("div", { class: "blocked", role: "alert" });
  const list = el("section", { class: "own-labels", "aria-label": "Labelled so far" });
  const others = el("section", { class: "of-others", "aria-label": "Others’ labels" });
  const hints = el("section", { "aria-label": "Hints" });
  const heading = el("h2", {});
  const announcer = el("p", { class: "visually-hidden", "aria-live": "polite" });
  const opener = el("button", { type: "button", class: "tool opener", "aria-expanded": "false", on: { click: () => open() } }, el("span", { text: "Labels" }), el("kbd", { text: "b", "aria-hidden": "true" }));

  const wholeHead = el("div", { class: "head" }, el("h2", { text: "The whole reading" }));
  const body = el(
    "div", { class: "body" }, about, keyList, moves.reopen,
    el("section", { class: "at-step", "aria-label": "This step" }, el("div", { class: "head" }, heading, el("span", { class: "row" }, undo, keysButton)), stepCodes.node, addCode, codes.node, el("div", { class: "row two" }, marks.button, correction.button), marks.find, marks.picked, decisive?.node ?? "", note.node, correction.node),
    el("section", { class: "whole", "aria-label": "The whole reading" }, wholeHead, el("div", { class: "pairs" }, ...choices.map(({ node }) => node)), readingNote.node),
    hints, list, others,
  );
  root.replaceChildren(
    el("div", { class: "bar" }, opener, progress, state, moves.node, moves.skipping, message, unsaved, unsavedLinks),
    body,
    announcer,
  );

  root.querySelector(".whole .pairs").after(fate.node);

  function open(on = !root.classList.contains("open")) {
    root.classList.toggle("open", on);
    opener.setAttribute("aria-expanded", String(on));
  }
  function focus(target) {
    if (!target || target.closest("[hidden]")) return;
    open(true);
    target.focus({ preventScroll: true }); // only this panel scrolls
    reveal(body, target.closest("label") ?? target);
  }
  const showHints = (on) => outbox.afterSaving({ do: "hints", with: on ? "on" : "off" }); // said so that it may arrive twice
  const askHints = () => showHints(!panel.data.hinted);
  const announce = (words) => (announcer.textContent = words);

  // Codes
  function openCodes(typed = "") {
    if (locked() || !coding() || !placed()) return;
    open(true);
    const words = marks.words();
    const what = words ? `Mark “${words}” with` : `Code for step ${panel.at + 1}`;
    codes.open(panel.data.codes, { what, typed, first: panel.lastCode, without: words !== "" });
    reveal(body, codes.node);
  }
  function codeChosen(code) {
    if (code) panel.lastCode = code.id;
    if (marks.words()) return marks.markWith(code);
    const target = { step: panel.at + 1 };
    const there = [...outbox.labels().values()].find((one) => one.kind === "step" && one.target.step === target.step && one.value.code === code.id && !one.removed);
    const id = there?.id ?? idOf(first.seed, "step", target.step, code.id);
    if (!currentValue(outbox, id)) outbox.put({ id, kind: "step", target, value: { code: code.id, severity: 2, note: "" } });
    else if (there?.again) outbox.confirm(id);
    stepCodes.choose(id);
    announce(`${codeOf(code.id).called} at step ${target.step}`);
  }

  function go({ target, value }) {
    const step = target.step ?? value?.value?.step;
    if (step) tell(first.run, "go", { at: step - 1 });
    else if (target.on === "text") tell(first.run, "scroll", { place: { start: target.start, above: -40 } });
  }

  // Accept what a model proposes at this step, else fill in the fate that the rules suggest; hidden hints are shown first.
  const stillOpen = () => stillProposed(panel.data.proposed, ownNow(outbox));
  function accept() {
    const { suggested, ids, hinted } = panel.data;
    if (locked() || !coding()) return;
    if (!hinted) return void showHints(true);
    const here = placed() ? proposedAt(stillOpen(), panel.at + 1) : [];
    if (here.length) {
      const together = `accepted ${Date.now()}`; // undone as they came
      for (const one of here) outbox.put(labelProposed(panel.data.seed, one), 0, together);
      return void announce(`Accepted: ${here.map(({ value }) => codeOf(value.code).called).join(", ")}`);
    }
    if (!suggested) return void (say("No fate is suggested here."));
    const current = Object.fromEntries(["fate", "decisive"].map((name) => [name, currentValue(outbox, ids[name])]));
    if (isAccepted(suggested, current.fate)) return;
    for (const label of labelsAccepted(suggested, ids, current)) outbox.put(label);
    announce(`Fate of the fact: ${suggested.title}, suggested by rule`);
  }

  // Go to the next step that a hint names; hidden hints are shown first.
  function nextHint() {
    if (!coding()) return;
    if (!panel.data.hinted) return void showHints(true);
    const proposed = stillOpen().flatMap(({ target }) => (target.step ? { steps: [target.step] } : []));
    const step = hintedStepAfter([...panel.data.hints, ...proposed], panel.at + 1);
    if (step) go({ target: { step } });
    else say("No hint names a step.");
  }

  // Go to the form below the player that corrects the step; on a narrow page this panel would cover it.
  function choose() {
    if (!panel.data.corrects) return;
    open(false);
    openBelow(".st-key-correction");
  }

  // Hints that were asked for stand above the fields and do not scroll with them; the button alone stands below them.
  function placeHints(on) {
    const there = hints.parentElement === root;
    if (there === on) return;
    const focused = hints.contains(root.getRootNode().activeElement) && root.getRootNode().activeElement;
    if (on) body.before(hints);
    else body.querySelector(".whole").after(hints);
    if (focused) focused.focus({ preventScroll: true });
  }

  // Drawing
  function draw() {
    const { data } = panel;
    const [isLocked, at] = [locked(), panel.at];
    const mine = [...new Set([...outbox.labels().values(), ...outbox.drafts()].filter((one) => one.kind === "step" && one.target.step === at + 1).map(({ id }) => id))];
    heading.textContent = !data.steps ? "No step" : placed() ? `Step ${at + 1}` : "…";
    stepCodes.draw({ locked: isLocked, ids: mine.filter((id) => currentValue(outbox, id)) });
    addCode.hidden = !coding();
    addCode.disabled = isLocked || !placed();
    decisive?.draw({ locked: isLocked || !placed(), step: at });
    for (const each of [note, readingNote]) each.draw({ locked: isLocked });
    correction.draw({ locked: isLocked, offered: data.corrects });
    for (const each of choices) each.draw({ locked: isLocked });
    fate.draw({ suggested: data.suggested, fate: coding() ? currentValue(outbox, data.ids.fate) : null, locked: isLocked });
    marks.button.disabled = isLocked;
    undo.disabled = isLocked || !outbox.canUndo();
    moves.draw({ locked: isLocked });
    const { at: here, of, done, skipped } = data.progress;
    progress.textContent = [`Reading ${here} of ${of}`, `${done} done`, skipped ? `${skipped} skipped` : "", isLocked ? `this one is ${data.standing}` : ""].filter(Boolean).join(" · ");
    const wrong = outbox.blocked().length > 0;
    state.textContent = standing({ outbox, line: panel.line });
    state.className = `state ${wrong ? "wrong" : ""}`;
    about.textContent = isLocked ? `${data.standing === "done" ? "You have finished this reading." : `You skipped this reading: ${data.skipped}`}` : data.about;
    about.hidden = !isLocked && (data.hinted || outbox.labels().size > 0); // what the stage is for is said until one has begun
    hints.hidden = !coding();
    placeHints(data.hinted);
    hints.className = data.hinted ? "hint-box on" : "hint-box";
    const proposals = { proposed: data.proposed, open: stillOpen(), describe: (one) => describeLabel(one, names), accept, locked: isLocked };
    render(html`<${Hints} ...${data} here=${at + 1} ask=${askHints} go=${go} proposals=${proposals} />`, hints);
    render(html`<${OwnLabels} labels=${ownNow(outbox)} names=${names} locked=${isLocked} go=${go} acts=${outbox} />`, list);
    others.hidden = !data.others.length;
    render(html`<${OthersLabels} others=${data.others} names=${names} />`, others);
    render(html`<${Unsaved} blocked=${outbox.blocked()} stored=${outbox.get} names=${names} resolve=${outbox.resolve} />`, unsaved);
    marks.tell();
  }

  function showKeys(on) {
    keyList.replaceChildren(el("h2", { text: "Keys" }), keyRowsDrawn());
    keyList.togglePopover(on);
  }

  const key = (keys, does, run) => ({ keys: [keys].flat(), does, run });
  const choiceKeys = first.fields.map((one) => one.key);
  const codingKeys = [
    key("i", "next automatic hint", nextHint),
    key("y", "accept what a model proposes at this step, or the fate that the hints suggest", accept),
    key("c", "give this step a code (or press Shift and its first letter)", () => openCodes()),
    { ...key([..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"], "", (event) => openCodes(event.key)), when: ({ shiftKey }) => shiftKey },
    { ...key(["1", "2", "3"], "severity of the code: minor, moderate, severe", (event) => void (locked() || stepCodes.severity(Number(event.key)))), shown: "1 2 3" },
    key("v", "note on the code", () => focus(stepCodes.noteField())),
    key("d", "mark or unmark this step as decisive", () => void (!locked() && placed() && decisive.toggle())),
    key("w", "why it is decisive", () => focus(decisive.why.field)),
    { ...key(choiceKeys, `${first.fields.map(({ title }) => title.toLowerCase()).join(", ")}; then 1 2 3 … to choose from the list, 0 to clear`, (event) => focus(choices[choiceKeys.indexOf(event.key)].field)), shown: choiceKeys.join(" ") },
    key("h", "show or hide automatic hints", askHints),
    key("x", "correct this step below the player and continue from it", choose),
  ];
  const panelKeys = [
    ...(coding() ? codingKeys : []),
    key("n", "note on this step", () => focus(note.field)),
    key("a", "note on the whole reading", () => focus(readingNote.field)),
    key("m", "mark the selected words; without a selection, find words to mark", () => marks.mark()),
    key("r", "what would have been right at this step", () => focus(correction.field)),
    key("g", "show or hide the known answer", pressKnown),
    key("z", "Simple or Full", pressDepth),
    key("u", "undo", () => void (locked() || outbox.undo())),
    key("f", "finish this reading", () => moves.finish()),
    key("s", "skip this reading, with a reason", () => moves.skip()),
    key(["Enter", "]"], "next reading", () => moves.to("next")),
    key("[", "previous reading", () => moves.to("previous")),
    ...(coding() ? [key("q", "next reading whose answer is wrong by rule", () => moves.to("wrong"))] : []),
    key("b", "open or close this panel (on a narrow page)", () => open()),
    key("Escape", "leave a field or a list", () => { showKeys(false); moves.forget(); }),
    key("?", "show or hide these keys", () => { open(true); showKeys(); }),
  ];
  const playerCame = waitForPlayer(() => panel.line.apply());
  const settled = () => playerCame() && !outbox.waiting();
  panel.line = joinKeys({ place: "desk", root, about: first.seed, keys: () => panelKeys, asleep: () => codes.isOpen(), fields: true, settled, changed: draw });
  const stopHearing = hear(first.run, {
    at: ({ at }) => { if (at !== panel.at) codes.close(); panel.at = Math.min(at, steps() - 1); draw(); playerCame.now(); },
    ready: () => { marks.tellAgain(); tell(first.run, "where"); },
    selected: marks.pick,
  });

  const stopClock = countTime({ open: () => !locked(), add: outbox.addTime, spent: outbox.timeSpent, tell: outbox.refresh });
  const onReturn = () => document.visibilityState === "visible" && outbox.refresh();
  document.addEventListener("visibilitychange", onReturn);

  panel.receive = (data) => {
    const opened = panel.data.standing !== data.standing;
    if (JSON.stringify(data.missing) !== JSON.stringify(panel.data.missing)) panel.sure = false;
    panel.data = data;
    if (data.note) stay(data.note);
    else if (data.n && !panel.sure) say("");
    outbox.receive(data);
    if (opened && !locked()) for (const { id } of outbox.blocked()) outbox.resolve(id, "mine");
    const behind = outbox.unsavedElsewhere();
    unsavedLinks.replaceChildren(...behind.slice(0, 3).map((run) => el("button", { type: "button", class: "link", text: "Unsaved changes at another reading: go there", on: { click: () => outbox.afterSaving({ do: "go", with: run }) } })));
    draw();
    panel.line.apply();
  };
  panel.destroy = () => {
    panel.line.leave(outbox.waiting());
    playerCame.end();
    stopHearing();
    marks.destroy();
    outbox.destroy();
    stopClock();
    document.removeEventListener("visibilitychange", onReturn);
  };
  panel.receive(first);
  outbox.start({ open: !locked() });
  tell(first.run, "where");
  return panel;
}
