// What stands over or beside the reading: how to join, the question with its options, or what a lesson says. The same on the teacher's
// page and on the room's screen.
import { html, useLayoutEffect, useRef, useState } from "../../vendor/preact.js";
import { devicesHere, joinHint, phaseWords } from "./class_model.js";
import { PHONE_WINDOW, fitPages, fitWhole } from "./fit_letters.js";
import { LessonWords } from "./lesson_words.js";
import { After, Options, Reason } from "./options.js";

// The height of the teacher's bar: on a phone its buttons have a row of their own.
export const BAR_WITH_BUTTONS = "clamp(56px, (761px - 100vw) * 999, 86px)";
const LONG_OPTIONS = 700; // letters of all options, which need the whole window

// Whether the words of the options take the whole window, and perhaps more than a page.
export const areLong = ({ options }) => options.reduce((sum, { text }) => sum + text.length, 0) > LONG_OPTIONS;

// How much of the window's width the words take, in percent; what is left is the picture's.
export function widthOf(data, joining) {
  const { lesson, phase } = data;
  const long = areLong(data);
  return !lesson || lesson.alone || joining || (phase !== "reading" && long) || window.innerWidth <= PHONE_WINDOW ? 100 : 50;
}

// `joining`: it shows how to join; `own`: what stands below that for the teacher alone; `waiting`: the question is not here yet; `lit`: the
// mark that is touched in the picture; `counted` is told how many pages it takes; then what can be pressed.
export function Cover({ data, cover, joining, own, waiting, lit, counted, children }) {
  const body = useRef(null);
  const [pages, count] = useState(1);
  const { phase, page } = data;
  const as = JSON.stringify([{ ...data, seconds: 0, beat: 0 }, joining, waiting, window.innerWidth, window.innerHeight]);
  useLayoutEffect(() => {
    const found = joining ? (fitWhole(cover, body.current), 1) : fitPages(cover, body.current, { page, outcome: data.counts.length > 0 || phase === "revealed" });
    count(found);
    counted?.(found);
  }, [as]);
  const turned = pages > 1 && `Page ${(page % pages) + 1} of ${pages}. `;
  const beside = widthOf(data, joining) < 100;
  const foot = html`<footer class="cover-foot"><span class="phase" role="status">${turned}${joining ? devicesHere(data.here) : phaseWords(data)}</span>${children}</footer>`;
  if (joining) return html`<div ref=${body} class="cover-body code" tabindex="0"><${CodeCard} ...${data} own=${own} /></div>${foot}`;
  const [about, title] = waiting ? ["", "…"] : phase === "reading" ? [data.lesson.section, data.lesson.name] : [beside ? "" : data.title, data.words]; // beside the picture its question stands on Stage
  return html`<div class="cover-body" tabindex="0">
      <div class="cover-head">${about && about !== title && html`<p class="about">${about}</p>`}<h1>${title}</h1></div>
      <div ref=${body} class="pages">${waiting ? "" : phase === "reading" ? html`<${LessonWords} ...${data.lesson} lit=${lit} />` : html`<${Options} data=${data} /><${After} ...${data} /><${Reason} ...${data} />`}</div>
    </div>${foot}`;
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

// What Stage is like beside words, where it has half of the width: the question whole, in letters as large as the others. The picture
// has the room of what the words tell, too, and of keys of what has not come yet.
const BESIDE_WORDS = { "--stage-question-lines": 5, "--stage-question-size": 1, "--stage-at-end": "none", "--stage-fate": "none", "--stage-key-to-come": "none" };

// Give Stage the whole window again.
export function leaveStage() {
  for (const name of ["--stage-left", ...Object.keys(BESIDE_WORDS)]) document.documentElement.style.removeProperty(name);
}

// Open or close what lies over Stage; of a lesson, the picture keeps the rest of the window.
export function setCovered(cover, on, percent = 100) {
  leaveStage();
  const beside = on && percent < 100;
  for (const [name, value] of beside ? Object.entries(BESIDE_WORDS) : []) document.documentElement.style.setProperty(name, value);
  if (beside) document.documentElement.style.setProperty("--stage-left", `${percent}vw`);
  cover.classList.toggle("beside", percent < 100);
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
  cover.showPopover?.();
  cover.focus({ preventScroll: true });
}
