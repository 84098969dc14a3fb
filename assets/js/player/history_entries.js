// Entry point: every page. One act of a person makes at most one entry in the browser's history. Streamlit takes up to three steps to a
// new page, and may put the parameters of one page behind the path of another on the way: a step without an act of its own replaces
// the one before. It also watches the connection, and keeps a demo's visit over a reload. Not here: what the player writes into the address (page_address.js).
import { watchConnection } from "./connection.js";

const KEPT = Symbol.for("palimpsest.entries");

const isDrawing = () => document.querySelector(".stApp")?.dataset.testScriptState === "running";
const isLink = (event) => event.composedPath().some((one) => one.localName === "a");

export default function ({ data }) {
  watchConnection();
  if (data?.visit) document.cookie = `${data.cookie}=${data.visit}; path=/; SameSite=Lax`; // of a public demo, until the browser is closed
  if (window.history[KEPT]) return; // once for all pages
  window.history[KEPT] = true;
  const { pushState, replaceState } = window.history;
  let acted = true; // since the last step
  let meant = true; // what was done is no second click while the first one still leads to another page

  function note(event) {
    acted = true;
    meant ||= !isDrawing() || isLink(event);
  }
  const forget = () => (acted = meant = false); // Back makes no entry either

  ["pointerdown", "keydown", "click"].forEach((kind) => window.addEventListener(kind, note, true));
  window.addEventListener("popstate", forget);
  window.history.pushState = (state, title, address) => {
    const { pathname, search } = new URL(address, window.location.href);
    const continues = !meant && search === window.location.search && pathname !== window.location.pathname;
    (acted && !continues ? pushState : replaceState).call(window.history, state, title, address);
    forget();
  };
}
