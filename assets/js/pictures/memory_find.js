// Below a memory: a search for when any words were last in memory.
import { el } from "../player/dom.js";
import { placeOfPhrase, plainMemories, runsWith, standing, stepOf, inMemory } from "./memory_layers.js";
import { stepButton } from "./memory_words.js";

const TIMES = 6;

export function createFind(player) {
  const field = el("input", { type: "search", "aria-label": "Words to look for in the memory", placeholder: "a word or phrase", maxlength: 200 });
  const answer = el("p", { class: "found-in-memory", "aria-live": "polite" });
  const asked = el("span", {});
  const form = el("form", { class: "find" }, el("label", {}, asked, field), el("button", { class: "tool", text: "Find" }));
  const node = el("div", { class: "memory-find" }, form, answer);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    answer.replaceChildren(...found(field.value.trim()));
  });
  let memories = null;

  function load() {
    memories = null;
    asked.textContent = `When was this last ${inMemory(player.frames.picture)}? `;
  }

  function found(phrase) {
    const { picture, text } = player.frames;
    if (!phrase || !picture) return [];
    memories ??= plainMemories(picture);
    const known = player.ends() ? memories : memories.slice(0, standing(picture, player.at).number + 1);
    const there = inMemory(picture);
    const runs = runsWith(phrase, known);
    if (!runs.length) return never(phrase, placeOfPhrase(phrase, text.whole));
    const [from, to] = runs.at(-1);
    const end = to === known.length - 1;
    const last = end ? [`“${phrase}” is ${there} ${player.ends() ? "to the end" : "at this step"}, since `, stepButton(player, from), "."] : [`“${phrase}” was last ${there} at `, stepButton(player, to), "; it was lost at ", stepButton(player, to + 1), "."];
    return [...last, ...before(runs.slice(0, -1), picture)];
  }

  function never(phrase, at) {
    const there = inMemory(player.frames.picture);
    if (at < 0) return [`“${phrase}” was never ${there}.`];
    return [`“${phrase}” was never ${there}, though it occurs in the text. `, el("button", { type: "button", class: "tool", text: "Show it in the text", on: { click: () => player.show(at) } })];
  }

  return { node, load, fill: (words) => (field.value = words) };
}

// When else it was in memory, the last few times.
function before(runs, picture) {
  const times = runs.map(([a, b]) => (a === b ? `at step ${stepOf(picture, a)}` : `from step ${stepOf(picture, a)} to ${stepOf(picture, b)}`));
  return times.length ? [` It was also there earlier: ${times.slice(-TIMES).join(", ")}.`] : [];
}
