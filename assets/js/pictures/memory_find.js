// Below a memory: a search for when any words were last in memory.
import { html, useMemo, useState } from "../../vendor/preact.js";
import { placeOfPhrase, plainMemories, runsWith, standing, stepOf, inMemory } from "./memory_layers.js";
import { AtStep } from "./memory_words.js";

const TIMES = 6;

// `typed` is what stands in the field: words that were selected in the memory are put there.
export function Find({ frames, at, ends, go, show, typed, type }) {
  const [phrase, ask] = useState("");
  const memories = useMemo(() => phrase && plainMemories(frames.picture), [frames.picture, Boolean(phrase)]);
  const submit = (event) => {
    event.preventDefault();
    ask(typed.trim());
  };
  return html`<div class="memory-find">
    <form class="find" onSubmit=${submit}>
      <input type="search" dir="auto" aria-label=${`Words to look for ${inMemory(frames.picture)}`} placeholder=${`When was this last ${inMemory(frames.picture)}?`} maxlength="200" value=${typed} onInput=${({ currentTarget }) => type(currentTarget.value)} />
      <button class="tool">Find</button>
    </form>
    <p class="found-in-memory" aria-live="polite">${phrase && found(phrase, memories, { frames, at, ends, go, show })}</p>
  </div>`;
}

function found(phrase, memories, { frames: { picture, text }, at, ends, go, show }) {
  const known = ends ? memories : memories.slice(0, standing(picture, at).number + 1);
  const there = inMemory(picture);
  const button = (number) => html`<${AtStep} picture=${picture} number=${number} go=${go} />`;
  const runs = runsWith(phrase, known);
  if (!runs.length) {
    const place = placeOfPhrase(phrase, text.whole);
    if (place < 0) return `“${phrase}” was never ${there}.`;
    return [`“${phrase}” was never ${there}, though it occurs in the text. `, html`<button type="button" class="tool" onClick=${() => show(place)}>Show it in the text</button>`];
  }
  const [from, to] = runs.at(-1);
  const last = to === known.length - 1
    ? [`“${phrase}” is ${there} ${ends ? "to the end" : "at this step"}, since `, button(from), "."]
    : [`“${phrase}” was last ${there} at `, button(to), "; it was lost at ", button(to + 1), "."];
  const times = runs.slice(0, -1).map(([a, b]) => (a === b ? `at step ${stepOf(picture, a)}` : `from step ${stepOf(picture, a)} to ${stepOf(picture, b)}`));
  return [...last, times.length > 0 && ` It was also there earlier: ${times.slice(-TIMES).join(", ")}.`];
}
