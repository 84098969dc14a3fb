// The teacher's panel of the devices: who may join, and who is removed. It opens at any time, also while a vote is being stuffed.
import { el } from "../player/dom.js";
import { doorWords, removals } from "./class_model.js";

// `act`: tells Python what the teacher did.
export function fillDoor(door, data, act) {
  const { closed, word, late } = data;
  const tool = (text, run) => el("button", { type: "button", class: "tool", text, on: { click: run } });
  const removed = removals(late).map(({ minutes, says }) => tool(says, () => act("remove", { at: minutes })));
  const focused = [...door.querySelectorAll("button")].indexOf(door.getRootNode().activeElement);
  door.replaceChildren(
    el("p", {}, doorWords(data), !closed && word ? el("b", { class: "join-word", text: word }) : ""),
    el("p", { class: "ways" }, tool(closed ? "Open the door" : "Close the door", () => act("closed", { on: !closed })), tool(word ? "Ask for no word" : "Ask for a word", () => act("word", { on: !word }))),
    ...(removed.length ? [el("p", { text: "Removing devices deletes their votes and closes the door. They can join again when you open it." }), el("p", { class: "ways" }, ...removed)] : []),
  );
  if (focused >= 0) door.querySelectorAll("button")[focused]?.focus();
}
