// The picture of a watched program: the text as an axis on top, its calls below in order: what of the text stood raw in each prompt, what
// is only likely to be from there, which earlier replies came into it (threads), and the reply. A reply that acts as a memory has a dotted
// border; the second view is the picture of that memory. Its data is described in components/player/pictures/observed.py.
import { html, useLayoutEffect, useRef, useState } from "../../vendor/preact.js";
import { holdsKnown } from "../player/places.js";
import { FactBadges, FactKeyLine } from "./fact_badges.js";
import { factMarks, factWords } from "./fact_marks.js";
import { KnownKey } from "./known_mark.js";
import { Memory } from "./memory.js";

const MOST_FAINT = 300; // threads beside those of the call that is shown
const CALL_ROLES = { memory: "a reply that acts as a memory", answer: "the answer", reply: "the reply" };

// The threads up to a call, [from, to, likely] by row: all of them if there are few, always those into this call and out of its reply.
export function threadsOf(rows, at, ends) {
  const all = rows.filter(({ step }) => ends || step <= at).flatMap((row, n) => row.from.map((from) => ({ from, to: n, likely: row.guessed.includes(from), now: n === at || from === at })));
  return all.length > MOST_FAINT ? all.filter(({ now }) => now) : all;
}

// From the left of a reply to the right of the places of a later call, in tenths of a letter; rows are 39 high.
function Thread({ from, to, likely, now }) {
  const [top, bottom] = [39 * from + 20, 39 * to + 20];
  return html`<g class=${`thread${now ? " now" : ""}${likely ? " likely" : ""}`}><path class="thread-line" d=${`M26 ${top}C4 ${top + 8} 16 ${bottom - 2} 3 ${bottom}`} /><path d=${`M8 ${bottom - 4}L3 ${bottom}L8 ${bottom + 3}`} /></g>`;
}

export function Calls(state) {
  const { frames, at, ends, known, facts, go, show } = state;
  const { picture } = frames;
  const [view, look] = useState("calls");
  const list = useRef();
  useLayoutEffect(() => bringCall(list.current), [at, view, frames.run, picture?.rows.length]);
  if (!picture) return html`<p class="none">The calls will appear here as they are recorded.</p>`;
  const views = picture.memory && html`<span class="call-views" role="group" aria-label="What is drawn">${[["calls", "Calls"], ["memory", "Memory"]].map(([id, words]) => html`<button key=${id} type="button" class="tool" aria-pressed=${String(view === id)} onClick=${() => look(id)}>${words}</button>`)}</span>`;
  if (view === "memory" && picture.memory) return html`<div class="calls-head">${views}<span class="hint">found by its being replaced at each call, not known</span></div><div class="memory-pane calls-memory"><${Memory} ...${state} frames=${{ ...frames, picture: picture.memory }} /></div>`;

  const rows = picture.rows.filter(({ step }) => ends || step <= at);
  const share = (offset) => `${((100 * offset) / Math.max(1, frames.text.chars)).toFixed(2)}%`;
  const bar = ([start, end], kind) => html`<i key=${`${kind} ${start}`} class=${kind} style=${{ left: share(start), width: share(end - start) }} />`;
  const lines = facts.map(({ fact: [start] }) => html`<i key=${start} class="fact-line" style=${{ left: share(start) }} />`);
  const threads = threadsOf(picture.rows, at, ends);
  const select = (row, event) => {
    go(row.step);
    const strip = event.target.closest(".call-strip")?.getBoundingClientRect();
    const place = strip ? (frames.text.chars * (event.clientX - strip.left)) / strip.width : row.spans[0]?.[0] ?? row.likely[0]?.span[0];
    if (place !== undefined) show(Math.round(place));
  };
  const seen = rows.filter(({ step }) => step <= at);
  const has = (test) => seen.some(test);
  const unsure = picture.rows[at]?.likely ?? [];
  return html`
    <div class="head"><h2>${picture.caption}</h2><span class="hint">${views || picture.hint}</span></div>
    <div class="calls" role="list" aria-label="The calls, in order" ref=${list}>
      <div class="call-axis" aria-hidden="true"><span class="call-text">the text →</span>
        <span class="call-strip">${frames.text.landmarks.map(([start]) => html`<i key=${start} class="tick" style=${{ left: share(start) }} />`)}
          ${seen.flatMap(({ spans, step }) => spans.map((span) => bar(span, `call-seen s${step}`)))}${(known?.evidence ?? []).map(([start]) => html`<i key=${`k${start}`} class="known-place" style=${{ left: share(start) }}>◇</i>`)}
          ${facts.map(({ fact: [start] }, n) => html`<i key=${`f${start}`} class="fact-place" style=${{ left: share(start) }}>◆${facts.length > 1 ? n + 1 : ""}</i>`)}${lines}</span></div>
      <div class="call-rows" style=${{ "--calls": rows.length }}>
        ${rows.map((row) => html`<${Call} key=${row.step} row=${row} now=${row.step === at} later=${row.step > at} marks=${row.ref && row.step <= at ? factMarks(facts, [row.ref], at, ends) : []} known=${holdsKnown(known, [...row.spans, ...row.still.spans])} bars=${[...row.still.spans.map((span) => bar(span, "still")), ...row.spans.map((span) => bar(span, "raw")), ...row.likely.flatMap(({ span, alike }) => [...alike.spans.map((each) => bar(each, "alike")), bar(span, "likely")]), ...lines]} select=${select} />`)}
        <svg class="call-threads" viewBox=${`0 0 27 ${39 * Math.max(1, rows.length)}`} preserveAspectRatio="xMidYMin" aria-hidden="true">${threads.map((thread) => html`<${Thread} key=${`${thread.from} ${thread.to}`} ...${thread} />`)}</svg>
      </div>
    </div>
    ${unsure.length > 0 && html`<p class="note">Likely only: ${unsure.slice(0, 3).map(({ span: [start], also }) => `the place at ${Math.round((100 * start) / Math.max(1, frames.text.chars))}%${also ? `, whose wording also stands ${also}` : ", which is short"}`).join("; ")}${unsure.length > 3 ? `; and ${unsure.length - 3} more` : ""}.</p>`}
    <p class="legend">
      ${has(({ spans }) => spans.length) && html`<span><i class="key raw" />stood raw in the prompt</span>`}
      ${has(({ still }) => still.spans.length) && html`<span><i class="key raw before" />still there from the call before</span>`}
      ${has(({ likely }) => likely.length) && html`<span><i class="key call-likely" />likely: short, or the same wording stands elsewhere too</span>`}
      ${has(({ role }) => role === "memory") && html`<span><i class="key call-memory" />acts as a memory (found by its being replaced)</span>`}
      ${has(({ from }) => from.length) && html`<span class="thread-key">‥ its words stood in a later prompt</span>`}
      ${has((row) => holdsKnown(known, row.spans)) && html`<${KnownKey} words="the known answer stood in the prompt" />`}${facts.length > 0 && html`<${FactKeyLine} />`}
    </p>`;
}

// A call: its number, what it is for, its places on the text, and its reply. A press goes to its step.
function Call({ row, now, later, marks, known, bars, select }) {
  const { step, does, note, spans, still, likely, from, reply, role, failed } = row;
  const about = [`Call ${step + 1}`, does, note, !spans.length && !still.spans.length && !likely.length && "nothing of the text", from.length && `with ${from.map((each) => `reply ${each + 1}`).join(", ")}`, known && "the known answer stood in it", failed ? "no reply" : `${CALL_ROLES[role] ?? "an empty reply"}: ${reply}`, factWords(marks)];
  return html`<div role="listitem" class="call-item"><button type="button" class=${`call${now ? " here" : ""}${later ? " later" : ""}`} aria-current=${now ? "step" : null} aria-label=${about.filter(Boolean).join(", ")} onClick=${(event) => select(row, event)}>
    <b class="call-number">${step + 1}</b><span class="call-does"><span>${does || "asks"}</span><small title=${note}>${note}</small></span>
    <span class="call-strip">${bars}${known && html`<span class="known-mark">◇</span>`}</span>
    <span class=${`call-reply ${failed ? "failed" : role || "empty"}`}><span dir="auto">${failed ? "! no reply" : reply || "an empty reply"}</span><${FactBadges} marks=${marks} /></span>
  </button></div>`;
}

// Scroll the list, and nothing around it, to the call that is shown.
function bringCall(box) {
  const there = box?.querySelector(".call.here")?.parentNode;
  if (!there) return;
  const [head, top] = [box.querySelector(".call-axis").offsetHeight, there.offsetTop + (there.offsetParent === box ? 0 : there.parentNode.offsetTop)];
  if (top - head < box.scrollTop || top + there.offsetHeight > box.scrollTop + box.clientHeight) box.scrollTop = top - head - 8;
}
