// Moving from reading to reading on the bench: back, on, finish, skip with a reason, reopen; and the panel's one line of messages.
// Nothing is left while a change is on its way or refused.
import { el } from "../player/dom.js";
import { tool } from "./tool.js";

const NONE = {
  next: "There is no other reading left for you. Finish this one with f.",
  previous: "There is no reading before this one.",
  wrong: "No other reading left for you is known to be wrong. If the known answer is hidden, show it first with g.",
};

// Whether an action may lead to another reading. It goes over the link beside the player, which Python draws in the same go as the reading:
// over the panel's own, Python would draw the panel once more first.
export const leaves = (act) => Boolean(act) && act.do !== "hints";

// Why a reading stays while a change of it is refused or stands against another one.
export const NOT_SAVED = "Some changes are not saved yet. Resolve them first.";

export function createMoves({ panel, outbox, locked }) {
  const message = el("p", { class: "message", role: "alert" });
  const say = (words) => void (message.textContent = words);
  const stay = (words) => say(`${words}${notApplied(panel.line?.refuse("f") ?? 0)}`);
  const previous = tool("Previous", "[", () => to("previous"));
  const next = tool("Next", "]", () => to("next"));
  const finishing = tool("Finish", "f", finish, "main");
  const skips = tool("Skip", "s", skip);
  const wrong = tool("Next wrong", "q", () => to("wrong"));
  const reopen = el("button", { type: "button", class: "tool wide", text: "Reopen to change labels", on: { click: () => outbox.afterSaving({ do: "reopen", with: "" }) } });
  const reason = el("input", { type: "text", "aria-label": "Reason for skipping", placeholder: "reason, then Enter", maxlength: 1000, on: { keydown: (event) => event.key === "Enter" && confirmSkip() } });
  const skipping = el("div", { class: "row skipping", hidden: "" }, reason, el("button", { type: "button", class: "tool", text: "Skip reading", on: { click: confirmSkip } }));

  // Whether the reading may be left, asked once all is saved. Says why not.
  function mayLeave(act) {
    const why = leaves(act) ? reasonToStay(act) : "";
    if (why) stay(why);
    return !why;
  }
  function reasonToStay(act) {
    const { missing } = panel.data;
    if (act.do === "reopen") return "";
    if (outbox.blocked().length) return NOT_SAVED;
    if (act.do !== "finish" || !missing.length || panel.sure) return "";
    panel.sure = true;
    return `Still missing: ${missing.join(", ")}. Press f again to finish anyway.`;
  }
  function to(way) {
    const run = panel.data.progress[way];
    if (!run) return say(NONE[way]);
    outbox.afterSaving({ do: "go", with: run });
  }
  function finish() {
    if (locked()) to("next");
    else outbox.afterSaving({ do: "finish", with: "" });
  }
  function skip() {
    if (locked()) return;
    skipping.hidden = !skipping.hidden;
    if (!skipping.hidden) reason.focus();
  }
  function confirmSkip() {
    if (!reason.value.trim()) return say("Give a short reason for skipping.");
    outbox.afterSaving({ do: "skip", with: reason.value });
  }
  // What was begun and not confirmed: a skip, a finish with something missing.
  function forget() {
    skipping.hidden = true;
    panel.sure = false;
    say("");
  }
  function draw({ locked: isLocked }) {
    reopen.hidden = !isLocked;
    for (const each of [finishing, skips]) each.hidden = isLocked;
    previous.disabled = !panel.data.progress.previous;
    next.disabled = !panel.data.progress.next;
    wrong.hidden = !panel.data.progress.wrong;
  }
  return { node: el("div", { class: "row moves" }, previous, finishing, skips, next, wrong), skipping, reopen, message, say, stay, mayLeave, to, finish, skip, forget, draw };
}

// What is said of keys that were meant for the next reading when this one stays.
export const notApplied = (count) => (count ? ` ${count === 1 ? "The key" : `The ${count} keys`} pressed since then did nothing.` : "");

// The state of a panel: whether all is saved, and how many keys wait.
export function standing({ outbox, line }) {
  const waiting = line?.waiting() ?? 0;
  if (outbox.blocked().length) return "! not saved";
  if (waiting) return waiting === 1 ? "1 key waits …" : `${waiting} keys wait …`;
  return outbox.saving() ? "saving …" : "saved";
}
