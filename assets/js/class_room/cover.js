// What covers the reading: how to join, or the question with its options. The same on the teacher's page and on the room's screen.
import { el } from "../player/dom.js";
import { devicesHere, joinHint, phaseWords } from "./class_model.js";
import { fitLetters } from "./fit_letters.js";
import { optionList, reasonOf } from "./options.js";

// The height of the teacher's bar: on a phone its buttons have a row of their own.
export const BAR_WITH_BUTTONS = "clamp(56px, (761px - 100vw) * 999, 86px)";

// Draw the cover. `joining`: it shows how to join; `own`: what stands below that for the teacher alone; `waiting`: the question is not
// here yet; `buttons`: what can be pressed.
export function drawCover(cover, data, { joining, own = "", waiting = false, buttons = [] }) {
  const inside = joining ? codeCard(data, own) : waiting ? [el("h1", { text: "…" })] : questionCard(data);
  const foot = el("footer", { class: "cover-foot" }, el("span", { class: "phase", role: "status", text: joining ? devicesHere(data.here) : phaseWords(data) }), ...buttons);
  const top = cover.querySelector(".cover-body")?.scrollTop ?? 0;
  const body = el("div", { class: joining ? "cover-body code" : "cover-body", tabindex: 0 }, ...inside);
  cover.replaceChildren(body, foot);
  fitLetters(cover, body, !joining && (data.counts.length > 0 || data.phase === "revealed"));
  body.scrollTop = top;
}

function codeCard(data, own) {
  const { qr, address, title, code } = data;
  const where = address ? address.replace(/^https?:\/\//, "") : "Your teacher tells you the address.";
  return [
    el("div", { class: "join" }, el("p", { class: "about", text: title }), el("h1", { text: "Join this class" }), el("p", { class: "big-code", text: code }),
      el("p", { class: "address", text: where }), el("p", { class: "hint", text: joinHint(data) }), own),
    ...(qr ? [qrPicture(qr)] : []),
  ];
}

function questionCard(data) {
  const after = data.after.map((words) => el("p", { class: "after", text: words }));
  return [el("p", { class: "about", text: data.title }), el("h1", { text: data.words }), reasonOf(data), ...after, optionList(data)].filter(Boolean);
}

// Open or close what lies over Stage.
export function setCovered(cover, on) {
  const open = cover.matches(":popover-open");
  if (on && !open) {
    cover.showPopover?.();
    cover.focus({ preventScroll: true });
  }
  if (!on && open) cover.hidePopover();
}

// Stage may have opened over it.
export function raiseCover(cover) {
  if (!cover.matches(":popover-open")) return;
  cover.hidePopover();
  setCovered(cover, true);
}

function qrPicture({ size, path }) {
  const sign = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const squares = document.createElementNS("http://www.w3.org/2000/svg", "path");
  for (const [key, value] of Object.entries({ viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": "QR code of the address", class: "qr", "shape-rendering": "crispEdges" })) sign.setAttribute(key, value);
  squares.setAttribute("d", path);
  sign.append(squares);
  return sign;
}
