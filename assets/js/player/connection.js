// Says in our words that the server does not answer, in the place of Streamlit's dialog, which speaks of a terminal. A page knows it from
// Streamlit's own state; an island that hears from the server each second also from the silence, which a phone without a network notices
// long before its connection breaks. One watch for the whole page, whichever script came first.
import { el } from "./dom.js";

const WATCH = Symbol.for("palimpsest.connection");
export const CONNECTED = "palimpsest-connected"; // of the window, once a lost connection is there again and the page was drawn over it
export const SILENT = 5000; // milliseconds
const LOOKS_EVERY = 500;
const WORDS = "Not connected. Palimpsest has not answered for 5 seconds: it is busy, was stopped, or the network is gone. Leave this page open: it goes on by itself.";

// `lost`: since when Streamlit is not connected, null if it is; `heard`: when each island heard last.
export const isSilent = (now, lost, heard) => [...heard, ...(lost === null ? [] : [lost])].some((at) => now - at > SILENT);

export function watchConnection() {
  window[WATCH] ??= createWatch();
  return window[WATCH];
}

// For an island that hears from the server each second: `heard()` when it does, `end()` when it goes.
export function createHeartbeat() {
  const { beats } = watchConnection();
  const beat = { at: performance.now() };
  beats.add(beat);
  return { heard: () => (beat.at = performance.now()), end: () => beats.delete(beat) };
}

function createWatch() {
  const beats = new Set();
  let lost = null;
  let looks = 0; // after a loss, until it is said to be over
  const opened = new MutationObserver(closeDialog);
  const box = el("div", { class: "not-connected", role: "alert", popover: "manual", "data-above-stage": "" });

  function look() {
    const now = performance.now();
    const { testConnectionState: state, testScriptState: script } = document.querySelector(".stApp")?.dataset ?? {};
    const connected = state === "CONNECTED";
    if (connected) {
      opened.disconnect();
      // What is sent while Python draws the page for its new session is not heard; that begins before the second look.
      if (looks && script === "notRunning" && !--looks) window.dispatchEvent(new Event(CONNECTED));
    } else if (lost === null) {
      looks = 2;
      opened.observe(document.body, { childList: true, subtree: true });
      closeDialog();
    }
    lost = connected ? null : (lost ?? now);
    show(isSilent(now, lost, [...beats].map(({ at }) => at)));
  }

  function show(on) {
    if (on === Boolean(box.textContent)) return;
    if (on) document.body.append(box);
    box.textContent = on ? WORDS : "";
    if (on) box.showPopover?.();
    else box.remove();
  }

  // A page that was not in view, or a phone that slept, has heard nothing meanwhile.
  function wake() {
    lost = null;
    for (const beat of beats) beat.at = performance.now();
  }

  setInterval(look, LOOKS_EVERY);
  document.addEventListener("visibilitychange", wake);
  return { beats };
}

// As soon as it is there, before it hears a key that was meant for what had the focus. Once closed, it comes no more until the server was
// there again.
function closeDialog() {
  for (const dialog of document.querySelectorAll('[data-testid="stDialog"]')) {
    if (dialog.querySelector("h2")?.textContent === "Connection error") dialog.querySelector('button[aria-label="Close"]')?.click();
  }
}
