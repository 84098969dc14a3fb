// The door of a class, which opens at any time, also while a vote is being stuffed: who may join, and who is removed.
import { html } from "../../vendor/preact.js";
import { doorWords, removals } from "./class_model.js";

export function Door({ data, act }) {
  const { closed, word, late } = data;
  const removed = removals(late);
  const button = (words, run) => html`<button type="button" class="tool" onClick=${run}>${words}</button>`;
  return html`
    <p>${doorWords(data)} ${!closed && word && html`<b class="join-word">${word}</b>`}</p>
    <p class="ways">${button(closed ? "Open the door" : "Close the door", () => act("closed", { on: !closed }))}${button(word ? "Ask for no word" : "Ask for a word", () => act("word", { on: !word }))}</p>
    ${removed.length > 0 && html`<p>Removing devices deletes their votes and closes the door. They can join again when you open it.</p><p class="ways">${removed.map(({ minutes, says }) => button(says, () => act("remove", { at: minutes })))}</p>`}`;
}
