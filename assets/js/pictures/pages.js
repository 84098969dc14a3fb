// The picture of pages: the text as rows of pages, each as wide as its word count; solid where the map is solid, else filled in
// proportion to its gist. Below: where a page may end while pages are cut, each gist beside its page at the step that writes
// it, then what the model sees: the gists in order, with opened pages in place.
import { html, useLayoutEffect, useRef } from "../../vendor/preact.js";
import { writtenBy } from "../player/dom.js";
import { RuleOnText } from "../player/seen_summaries.js";
import { holdsKnown, rawOnMap } from "../player/places.js";
import { isLit } from "../player/parts.js";
import { nearestVisit, stateAt } from "../player/steps.js";
import { Termed } from "../player/terms.js";
import { pausesAt } from "../player/text_marks.js";
import { FactBadges, FactKeyLine } from "./fact_badges.js";
import { factMarks, factWords } from "./fact_marks.js";
import { GistBesidePage } from "./gist_beside_page.js";
import { KnownKey } from "./known_mark.js";

const KNOWN_PAGE = "the known answer stands here";
const GIST_WRITTEN = "gist written";
const RAW_WORDS = { now: "shown raw", before: "shown raw at an earlier step" };
const A_ROW = 20; // pages of average length in a row
const A_NARROW_ROW = 8; // in a window of the width of a phone, where 20 would all be as narrow as a number
const PHONE_WIDE = 600;
const SIGNS = { asked: "?", waiting: "□", opened: "■", dropped: "✕", back: "↩" };
const CLAIM_SIGNS = { raw: "■", gist: "▤", none: "?" };
const SHOWN = 100; // characters of either end of a passage

export function Pages({ frames, at, last, ends, known, facts, lit, go, show }) {
  const [strip, list] = [useRef(), useRef()];
  const { picture } = frames;
  const pages = (picture?.pages ?? []).map((page) => {
    const state = stateAt(page.changes, at) ?? "hidden";
    const marks = state === "hidden" ? [] : factMarks(facts, page.refs, at, ends);
    return { ...page, state, marks, raw: state !== "hidden" && rawOnMap(frames, [page.start, page.end], at), here: page.id === picture.here[at], known: holdsKnown(known, [[page.start, page.end]]), written: page.changes.some(([step, to]) => step === at && to === "gist") };
  });
  const bringing = pages.find(({ here }) => here)?.id ?? ["waiting", "opened", "asked"].map((state) => pages.find((page) => page.state === state)?.id).find(Boolean);
  useLayoutEffect(() => bring(strip.current, bringing), [bringing, frames.run]);
  useLayoutEffect(() => bring(list.current, bringing), [bringing, picture?.beside[at]?.id, at < picture?.built]);
  if (!picture) return html`<p class="none">The pages will appear here as they are read.</p>`;

  const built = pages.some(({ state, raw }) => state === "gist" && raw); // the map still shows what the pages were read for
  const meanings = built ? { ...picture.meanings, gist: GIST_WRITTEN } : picture.meanings;
  const rawKeys = Object.entries(RAW_WORDS).filter(([how]) => pages.some(({ raw, state }) => raw === how && (how === "before" || state !== "opened")));
  const seen = pages.filter(({ state }) => !["hidden", "read"].includes(state));
  const written = pages.filter(({ written }) => written);
  const open = pages.find(({ here }) => here);
  const pauses = open && pausesAt(frames, at);
  const row = pages.reduce((sum, { words }) => sum + words, 0) / Math.max(1, Math.ceil(pages.length / (globalThis.innerWidth < PHONE_WIDE ? A_NARROW_ROW : A_ROW))); // words; the same for every row, so that widths are comparable
  const select = (page) => {
    const visit = nearestVisit(page.visits, at);
    if (visit !== undefined) go(visit);
    show(page.start);
    bring(list.current, page.id);
  };
  return html`
    <div class="head"><h2><${Termed} frames=${frames} words=${seen.length ? picture.caption : "The pages"} /></h2><span class="hint"><${Termed} frames=${frames} words=${seen.some(({ raw }) => !raw) ? picture.hint : "width: words"} /></span></div>
    <div class=${`strip${pages.length > 1.4 * A_ROW ? " many" : ""}`} style=${{ "--digits": String(pages.length).length }} role="group" aria-label="The pages" ref=${strip}>
      ${pages.map((page) => html`<${Page} key=${page.id} page=${page} lit=${isLit(lit, page.start, page.end)} share=${(97 * page.words) / Math.max(1, row)} meaning=${meanings[page.state]} select=${() => select(page)} />`)}
    </div>
    <p class="legend" hidden=${!seen.length && !rawKeys.length}>
      ${rawKeys.map(([how, words]) => html`<span key=${how}><i class=${`key raw ${how}`} /><${Termed} frames=${frames} words=${words} /></span>`)}
      ${Object.entries(meanings).filter(([state]) => pages.some((page) => page.state === state)).map(([state, words]) => html`<span key=${state}>${built && state === "gist" ? CLAIM_SIGNS.gist : html`<i class=${`key page-${state}`} />`} <${Termed} frames=${frames} words=${words} /></span>`)}
      ${pages.some((page) => page.known && page.state !== "hidden") && html`<${KnownKey} words=${KNOWN_PAGE} />`}
      ${pages.some(({ marks }) => marks.length) && html`<${FactKeyLine} />`}
    </p>
    ${pauses && html`<${Pauses} key=${`pauses ${at}`} pauses=${pauses} page=${open} whole=${frames.text.whole} show=${show} />`}
    ${!pauses && seen.length > 0 && html`<h3>${at >= picture.built ? seenWhen(pages) : written.length ? `${written.length} ${written.length === 1 ? "gist" : "gists"} written at this step, beside ${written.length === 1 ? "its page" : "their pages"}` : "The gists so far"}</h3>
      <div class="memory" tabindex="0" role="region" aria-label="The gists and the opened pages" ref=${list}>
        ${(written.length ? written : seen).map((page) => html`<${Entry} key=${page.id} page=${page} beside=${picture.beside[at]} frames=${frames} show=${show} />`)}
      </div>`}
    ${at >= last && picture.claims.length > 0 && html`<ul class="claims" tabindex="0" aria-label="Where the words of the answer occur">
      ${picture.claims.map(({ text, in: kind, words }) => html`<li class=${`claim-${kind}`}><span class="mark">${CLAIM_SIGNS[kind]}</span> <bdi dir="auto">${text}</bdi> <small>${words}</small></li>`)}
    </ul>`}`;
}

// When the model sees what stands below: with this call or the next; of pages that were asked for, not all are opened yet.
export function seenWhen(pages) {
  const [asked, waiting] = ["asked", "waiting"].map((sought) => pages.some(({ state }) => state === sought));
  return asked ? "The memory so far: the gists, with each opened page in place" : waiting ? "What the model will see at its next call" : "What the model sees";
}

// A page in the row; a press goes to the step that visited it.
function Page({ page, lit, share, meaning, select }) {
  const { name, state, raw, here, known, marks, words, gist_words: kept } = page;
  const about = [name, `${words} words${state === "read" ? "" : `, gist ${kept}`}`, page.ended].join(" · ");
  const label = [name, RAW_WORDS[raw], meaning, here && "here, now", known && KNOWN_PAGE, factWords(marks)].filter(Boolean).join(", ");
  return html`<button type="button" class=${`page page-${state}${raw ? ` raw-${raw}` : ""}${here ? " here" : ""}${lit ? " lit" : ""}`} data-page=${page.id} data-place=${`${page.start}-${page.end}`} style=${{ flex: `0 0 calc(${share.toFixed(2)}% - 4px)` }} title=${about} aria-label=${label} onClick=${select}>
    <i class="fill" style=${{ height: `${Math.min(100, Math.round((100 * kept) / Math.max(1, words)))}%` }} />
    <span class="number">${page.number}</span><span class="mark">${state === "gist" && raw ? CLAIM_SIGNS.gist : SIGNS[state]}</span>${known && html`<span class="known-mark">◇</span>`}<span class="of-facts"><${FactBadges} marks=${marks} /></span>
  </button>`;
}

// What the model sees of a page, or at the step that wrote its gist the gist beside the page.
function Entry({ page, beside, frames, show }) {
  const opened = ["opened", "waiting"].includes(page.state);
  const look = { opened: "raw", waiting: "waiting" }[page.state] ?? "gist";
  const both = beside?.id === page.id;
  const by = writtenBy(frames, page.ref);
  const own = frames.text.whole?.slice(page.start, page.end).trim() ?? "The page itself; its words are in the text.";
  const words = both ? html`<${GistBesidePage} beside=${beside} by=${by} chosen=${frames.steps[beside.asked]?.by} />`
    : page.written ? html`<div class="beside"><section><h5>The gist, ${by}</h5><p class="gist-words" dir="auto" tabindex="0" role="group" aria-label=${`The gist of ${page.name}`}>${page.gist}</p></section><section><h5>The page itself</h5><p class="page-words" dir="auto" tabindex="0" role="group" aria-label=${`${page.name}, the page itself`}>${own}</p></section></div>`
    : html`<p dir="auto">${opened ? own : page.gist}</p>`;
  return html`<div class=${`entry entry-${look}${page.here ? " here" : ""}${page.written ? " written" : ""}`} data-page=${page.id} onClick=${() => show(page.start)}>
    <h4>${page.written ? `${page.name} · ${page.words} words, gist ${page.gist_words}` : `${page.name} · ${opened ? (look === "raw" ? "the page itself" : "the page itself, which the next call shows") : `its gist, ${by}`}${both ? "; here beside its gist" : ""}`}<${FactBadges} marks=${page.marks} /></h4>
    ${(page.written || !opened) && html`<${RuleOnText} frames=${frames} of=${page.ref} />`}<div class="words">${words}</div>
  </div>`;
}

// Where a page may end: the places that were offered, each after the words that it follows; the one that was taken is marked.
function Pauses({ pauses, page: { name, start, ended }, whole, show }) {
  const list = useRef();
  const taken = pauses.findIndex(([, chosen]) => chosen);
  useLayoutEffect(() => bring(list.current, String(taken)));
  return html`<h3>${pauses.length > 1 ? `Where ${name} may end: ${pauses.length} places were offered` : `Where ${name} ends`}</h3>
    <ol class="memory pauses" tabindex="0" aria-label="The places to pause" ref=${list}>
      ${pauses.map(([place], n) => html`<li key=${place} class=${n === taken ? "taken" : n > taken ? "past" : ""} data-page=${n} onClick=${() => show(Math.max(0, place - 3))}>
        <p class="passage" dir="auto">${passage(whole, n ? pauses[n - 1][0] : start, place)}</p>
        <p class="place"><b>${n === taken ? "■" : "○"}${pauses.length > 1 && ` place ${n + 1}`}</b>${n === taken && `${pauses.length > 1 ? " ·" : ""} ${name} ends here: ${ended}`}</p>
      </li>`)}
    </ol>`;
}

// How a passage begins and ends; nothing where the text is not loaded.
function passage(whole, start, end) {
  const words = whole?.slice(start, end).trim().replace(/\s+/g, " ") ?? "";
  return words.length > 2.2 * SHOWN ? `${words.slice(0, SHOWN).replace(/\s\S*$/, "")} … ${words.slice(-SHOWN).replace(/^\S*\s/, "")}` : words;
}

// Scroll a box, and nothing around it, to one of its pages, if that is not in view.
function bring(box, id) {
  const there = id !== undefined && box?.querySelector(`[data-page="${id}"]`);
  if (!there) return;
  const above = there.offsetTop - (box.offsetParent === there.offsetParent ? box.offsetTop : 0) - 8;
  if (above < box.scrollTop || above + there.offsetHeight + 16 > box.scrollTop + box.clientHeight) box.scrollTop = above;
}
