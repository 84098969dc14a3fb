// The picture of a memory that is overwritten: its words at this step with additions and deletions, older layers under them, its size
// by step, beside it the life of every sentence and the look-back, and the history of any sentence. What a step changed is in view.
import { html, useEffect, useLayoutEffect, useRef, useState } from "../../vendor/preact.js";
import { quotedBy, writtenBy } from "../player/dom.js";
import { holdsKnown } from "../player/places.js";
import { Termed } from "../player/terms.js";
import { FactBadges, FactKeyLine } from "./fact_badges.js";
import { factMarks } from "./fact_marks.js";
import { KnownKey } from "./known_mark.js";
import { LookBack, SentenceHistory } from "./memory_cards.js";
import { Chart } from "./memory_chart.js";
import { Find } from "./memory_find.js";
import { Life } from "./memory_life.js";
import { LAYERS_AT_ONCE, counted, standing, stepOf } from "./memory_layers.js";
import { bringChanges, paragraphs } from "./memory_words.js";

const DEPTHS = [1, 2, 3, 5, 10, 20, 50, 100, 200, 500];
const ALL = 1e9;

export function Memory(state) {
  const { frames, at, ends, facts, known } = state;
  const { picture } = frames;
  const [scroll, words, fitted] = [useRef(), useRef(), useRef()];
  const [wanted, setDepth] = useState("2");
  const [[most, asked], showMore] = useState([LAYERS_AT_ONCE, ""]);
  const [selected, select] = useState(null);
  const [typed, type] = useState("");
  const [[fit, below], tellFit] = useState([0, 0]);
  const [unfolded, unfold] = useState(null); // the memory whose older layers were unfolded
  const number = picture ? standing(picture, at).number : -1;
  const drawnFor = [at, number, wanted, most, unfolded, picture?.snapshots.length, scroll.current?.clientWidth].join();
  useLayoutEffect(() => {
    const loosest = fitted.current === drawnFor ? fit : 0; // what is drawn for one step only comes closer: what is said below it takes room
    fitted.current = drawnFor;
    const found = bringChanges(scroll.current, { loosest, unfolded: unfolded === number });
    if (found.join() !== [fit, below].join()) tellFit(found);
  }, [picture, drawnFor, fit, scroll.current?.clientHeight]);
  useEffect(() => {
    if (selected === null) return undefined;
    const bringing = setTimeout(() => markedIn(words.current) || words.current?.getRootNode().querySelector(".history")?.scrollIntoView({ block: "nearest" }), 350); // a double click selects a word
    return () => clearTimeout(bringing);
  }, [selected]);
  if (!picture) return html`<div class="head"><h2><${Termed} frames=${frames} words="Its memory now" /></h2></div><p class="none">It will appear here once the first chunk has been read.</p>`;

  const { snapshots, called, limit } = picture;
  const { fresh } = standing(picture, at);
  const told = selected !== null && picture.lanes[selected];
  const now = snapshots[number];
  const choices = [["0", "off"], ...DEPTHS.filter((steps) => steps < snapshots.length).map((steps) => [String(steps), steps === 1 ? "1 step back" : `${steps} steps back`]), [String(ALL), "all the way"]];
  const depth = choices.some(([value]) => value === wanted) ? wanted : String(ALL);
  const drawn = now ? paragraphs(picture, at, { depth: Number(depth), most: asked === depth ? most : LAYERS_AT_ONCE, selected }) : { blocks: [], more: 0 };
  const author = drawn.blocks.length ? writtenBy(frames, now.ref) : ""; // nobody wrote what is empty
  const marks = now ? factMarks(facts, [now.ref, ...(fresh ? [now.chunk] : [])], at, ends) : [];
  const press = (event) => {
    const chosen = event.target.closest(".sentence");
    const phrase = markedIn(words.current);
    if (phrase) type(phrase.slice(0, 200));
    else if (chosen) select(Number(chosen.dataset.lane) === selected ? null : Number(chosen.dataset.lane));
  };
  return html`
    <div class="head"><h2><${Termed} frames=${frames} words=${picture.captions?.[number] ?? picture.caption} /></h2>
      <span class="memory-tools"><span class="of-facts"><${FactBadges} marks=${marks} /></span><span class="tokens">${now && `${now.tokens.toLocaleString("en")}${limit ? ` of ${limit.toLocaleString("en")}` : ""} tokens`}</span>
        <label class="layers">older layers <select aria-label="Older layers of the memory" class="depth" value=${depth} onChange=${({ currentTarget }) => { setDepth(currentTarget.value); unfold(number); }}>${choices.map(([value, text]) => html`<option key=${value} value=${value}>${text}</option>`)}</select></label></span>
    </div>
    <div class="memory-body">
      <${Chart} ...${state} />
      <div class="memory-both">
        <div class="memory-now">
          <div class="pal-box" tabindex="0" role="group" aria-label=${`The ${called}`} ref=${scroll}>
            <div class=${`memory-words ${author && quotedBy(author)}`} role="group" aria-label=${author ? `The ${called} at this step, ${author}` : `The ${called}`} ref=${words} onClick=${press} onKeyDown=${(event) => walkWords(event, select)}>
              ${drawn.blocks.length ? drawn.blocks : html`<p class="none">${now ? `The ${called} is empty.` : `There is no ${called} yet.`}</p>`}
            </div>
            ${drawn.more > 0 && html`<p class="more">Older layers, from step ${stepOf(picture, drawn.more - 1)} back, are not shown. <button type="button" class="tool" onClick=${() => showMore([(asked === depth ? most : LAYERS_AT_ONCE) + 2 * LAYERS_AT_ONCE, depth])}>Show more</button></p>`}
          </div>
          ${below > 0 && html`<p class="more">${counted(below, drawn.written || drawn.gone ? "more change" : "more sentence")} below</p>`}
          ${now?.truncated && fresh && html`<p class="note">! The ${called} was over its limit and was cut at the end of a sentence.</p>`}
          ${author && quotedBy(author) !== "by-model" && html`<p class="note">The ${called} was ${author}.</p>`}
          <p class="legend">${drawn.written && html`<span class="key-word"><ins>written here</ins></span>`}${drawn.gone > 0 && html`<span class="key-word"><del>overwritten here</del></span>`}${drawn.layers > 0 && (fit ? html`<button type="button" class="more-words" title=${`Overwritten at an earlier step; there is no room beside the ${called}`} onClick=${() => unfold(number)}>${counted(drawn.layers, "older sentence")}</button>` : html`<span class="key-word">${drawn.struck ? html`<s>older layer</s>` : "older layer"}</span>`)}
            ${snapshots.some(({ truncated }, n) => truncated && n <= number) && html`<span class="key-word"><i class="cut-key">▼</i> cut at its limit</span>`}
            ${snapshots.some(({ span }) => holdsKnown(known, [span])) && html`<${KnownKey} words="the chunk in which the known answer stands" />`}${facts.length > 0 && html`<${FactKeyLine} />`}</p>
          ${now && html`<${LookBack} ...${state} />`}
        </div>
        <div class=${`memory-beside${told ? " with-history" : ""}`}><${Life} ...${state} selected=${selected} select=${select} />
          ${told && html`<${SentenceHistory} ...${state} lane=${selected} close=${() => select(null)} />`}
          <${Find} ...${state} typed=${typed} type=${type} />
        </div>
      </div>
    </div>`;
}

// The words that are marked by hand.
const markedIn = (words) => (words?.getRootNode().getSelection?.() ?? document.getSelection())?.toString().trim() ?? "";

// The arrow keys go from sentence to sentence, Enter selects one.
function walkWords(event, select) {
  const all = [...event.currentTarget.querySelectorAll(".sentence")];
  const now = all.indexOf(event.target.closest(".sentence"));
  const to = all[{ ArrowDown: now + 1, ArrowUp: now - 1 }[event.key]];
  if ((event.key === "Enter" || event.key === " ") && all[now]) select(Number(all[now].dataset.lane));
  else if (!to) return;
  else {
    all[now]?.setAttribute("tabindex", "-1");
    to.setAttribute("tabindex", "0");
    to.focus();
  }
  event.preventDefault();
  event.stopPropagation();
}
