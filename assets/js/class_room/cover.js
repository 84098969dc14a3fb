// What covers the reading: how to join, or the question with its options. The same on the teacher's page and on the room's screen.
import { html, useLayoutEffect, useRef } from "../../vendor/preact.js";
import { devicesHere, joinHint, phaseWords } from "./class_model.js";
import { fitLetters } from "./fit_letters.js";
import { After, Options, Reason } from "./options.js";

// The height of the teacher's bar: on a phone its buttons have a row of their own.
export const BAR_WITH_BUTTONS = "clamp(56px, (761px - 100vw) * 999, 86px)";

// `joining`: it shows how to join; `own`: what stands below that for the teacher alone; `waiting`: the question is not here yet; then what
// can be pressed.
export function Cover({ data, cover, joining, own, waiting, children }) {
  const body = useRef(null);
  const as = JSON.stringify([{ ...data, seconds: 0 }, joining, waiting, window.innerWidth, window.innerHeight]);
  useLayoutEffect(() => {
    const { scrollTop } = body.current;
    fitLetters(cover, body.current, !joining && (data.counts.length > 0 || data.phase === "revealed"));
    body.current.scrollTop = scrollTop;
  }, [as]);
  return html`
    <div ref=${body} class=${joining ? "cover-body code" : "cover-body"} tabindex="0">
      ${joining ? html`<${CodeCard} ...${data} own=${own} />` : waiting ? html`<h1>…</h1>` : html`<${QuestionCard} data=${data} />`}
    </div>
    <footer class="cover-foot"><span class="phase" role="status">${joining ? devicesHere(data.here) : phaseWords(data)}</span>${children}</footer>`;
}

function CodeCard({ own, ...data }) {
  const { qr, address, title, code } = data;
  return html`
    <div class="join">
      <p class="about">${title}</p><h1>Join this class</h1><p class="big-code">${code}</p>
      <p class="address">${address ? address.replace(/^https?:\/\//, "") : "Your teacher tells you the address."}</p><p class="hint">${joinHint(data)}</p>${own}
    </div>
    ${qr && html`<svg viewBox=${`0 0 ${qr.size} ${qr.size}`} role="img" aria-label="QR code of the address" class="qr" shape-rendering="crispEdges"><path d=${qr.path} /></svg>`}`;
}

const QuestionCard = ({ data }) => html`
  <p class="about">${data.title}</p><h1>${data.words}</h1>
  <${Reason} ...${data} /><${After} ...${data} /><${Options} data=${data} />`;

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
