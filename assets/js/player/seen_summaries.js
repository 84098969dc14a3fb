// Over the text, at a step whose prompts held summaries: those summaries beside each other, whole, as the model saw them, with the
// words that met the question and those that the stated reason names. The text itself is one button away.
import { html, render, useLayoutEffect, useRef, useState } from "../../vendor/preact.js";
import { el, quotedBy, writtenBy } from "./dom.js";
import { wordRuns } from "./word_marks.js";

const SHARED_WITH = { met: "the question", cited: "the stated reason" };

// `turned` is called when a person turned from the summaries to the text or back.
export function createSeen(player, turned) {
  const toSummaries = el("button", { type: "button", class: "tool", text: "Show the summaries", hidden: "", on: { click: () => prefer(false) } });
  const node = el("div", { class: "seen", hidden: "", tabindex: 0, role: "region", "aria-label": "What the model sees" });
  let preferred = false; // whether a person prefers the text itself
  let asideAt = null; // the step at which a place in the text was asked for
  const seen = () => player.frames.picture?.compared?.[player.at] ?? null;
  const shows = () => Boolean(seen()) && !preferred && asideAt !== player.at;

  function prefer(text) {
    preferred = text;
    asideAt = null;
    draw(player.at);
    turned();
    (text ? toSummaries : node.querySelector(".tool")).focus();
  }

  // Make way for the text at this step.
  function stepAside() {
    if (!shows()) return;
    asideAt = player.at;
    draw(player.at);
  }

  function draw(at) {
    if (asideAt !== at) asideAt = null;
    node.hidden = !shows();
    toSummaries.hidden = !seen() || shows();
    if (shows()) render(html`<${Seen} seen=${seen()} at=${at} frames=${player.frames} staged=${player.staged} box=${node} toText=${() => prefer(true)} />`, node);
  }

  return { node, toSummaries, draw, stepAside, shows };
}

function Seen({ seen, at, frames, staged, box, toText }) {
  const head = useRef();
  const { count, left = count, options, back } = seen;
  const { names, texts, refused } = frames.picture;
  const refusedOf = (id) => (refused?.[at] ?? []).find((choice) => choice.id === id);
  const kinds = Object.entries(SHARED_WITH).filter(([kind]) => options.some((option) => option[kind].length));
  useLayoutEffect(() => {
    const chosen = box.querySelector(".picked");
    box.scrollTop = chosen && chosen.offsetTop + chosen.offsetHeight > box.clientHeight ? chosen.offsetTop - head.current.offsetHeight - 4 : 0;
  }, [seen, staged]);
  return html`
    <div class="seen-head" ref=${head}>
      <p class="about">What the model sees: ${count} ${count === 1 ? "summary" : "summaries"}${left < count ? ` (${left} when it was asked again)` : ""}, ${writtenBy(frames, ...options.map(({ id }) => `wrote:${id}`))}</p>
      <button type="button" class="tool" onClick=${toText}>Show the text</button>
    </div>
    <div class="cards">
      ${options.map((option) => html`<${Summary} key=${option.id} ...${option} name=${names[option.id]} text=${texts[option.id]} frames=${frames} refused=${refusedOf(option.id)} />`)}
      ${back && html`<p class=${back === "chosen" ? "summary back picked" : "summary back"}>${back === "chosen" ? "↩ it went back up" : "↩ or go back up"}</p>`}
      ${count > options.length && html`<p class="none">${count - options.length} more</p>`}
    </div>
    ${kinds.length > 0 && html`<p class="words-key">Marked by rule: words shared with ${kinds.map(([kind, text], n) => [n ? " or with " : "", html`<mark class=${kind}>${text}</mark>`])}.</p>`}`;
}

function Summary({ id, name = "a part", text = "", picked, refused, met, cited, frames }) {
  const words = wordRuns(text, { met, cited }).map(({ text: run, kind }) => (kind ? html`<mark class=${kind}>${run}</mark>` : run));
  const author = quotedBy(writtenBy(frames, `wrote:${id}`));
  return html`<article class=${`summary ${author}${picked ? " picked" : ""}`}><h3><bdi>${name}</bdi>${picked && html`<span> · opened</span>`}</h3>${refused && html`<p class="refused-here">✕ chosen, ${refused.words}: ${refused.why}</p>`}<${RuleOnText} frames=${frames} of=${`wrote:${id}`} /><p dir="auto">${words}</p></article>`;
}

// What a rule did to a text: cut it, or put something in the place of a reply.
export const RuleOnText = ({ frames, of }) => frames.rules?.[of] && html`<small class="by-rule">! ${frames.rules[of]}</small>`;

// What a step wrote, and the model's stated reason for a choice in a tree or of pages: the decision card is below the first screen, and other pictures
// have the reason in them.
export function writtenAt({ wrote, decision } = {}, kind) {
  const { by_model: byModel, options = [], reason } = decision ?? {};
  const told = wrote?.items.some(({ text }) => text.includes(reason)); // in the whole reply
  const reasons = byModel && options.length && reason && !told && ["graph", "slices", "pages"].includes(kind) ? [{ ref: "", name: "The stated reason", text: reason }] : [];
  const items = [...reasons, ...(wrote?.items ?? [])];
  return items.length ? { head: "", more: 0, ...wrote, items } : null;
}

// Above the text, what the step wrote, with what it was made of. Of several texts there is how many, and of each the beginning; a press
// shows all of what is here.
export function Wrote({ head, items, more, by, frames }) {
  const [open, setOpen] = useState("");
  const author = (ref) => (ref ? writtenBy(frames, ref) : `written by ${by}`);
  const part = (ref) => (head ? { class: `quoted ${quotedBy(author(ref))}${open === ref ? "" : " begins"}`, onClick: () => setOpen(open === ref ? "" : ref) } : { class: `quoted ${quotedBy(author(ref))}` });
  return html`${head && html`<p class="none">${head}</p>`}${items.map(({ ref, name, text, of, of_more: others }) => html`<section key=${ref} ...${part(ref)}>
    <h3><bdi>${name}</bdi>, ${author(ref)}${of?.length > 0 && html` from <bdi>${of.join(", ")}</bdi>${others > 0 && ` and ${others} more`}`}</h3><${RuleOnText} frames=${frames} of=${ref} /><p dir="auto">${text}</p>
  </section>`)}${more > 0 && html`<p class="none">${more} more</p>`}`;
}
