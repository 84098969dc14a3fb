// Entry point of a replay file: its data are in blocks on the page.
import { el } from "../player/dom.js";
import { readBlock } from "./blocks.js";
import { startReplay } from "./start.js";

const UNREADABLE = "This file cannot be read. Either it is not whole, or this browser is older than 2023 and cannot unpack it.";

const blocks = (kind) => Promise.all([...document.querySelectorAll(`script[id^="${kind}-"]`)].map(readBlock));

function open(root, [texts, readings]) {
  for (const { document: number, frames } of readings) frames.text.whole = texts[number];
  startReplay(root, readings, { name: "Palimpsest replay" });
}

if (globalThis.document) {
  const root = document.getElementById("replay");
  const refuse = () => root.replaceChildren(el("p", { role: "alert", text: UNREADABLE }));
  Promise.all(["text", "reading"].map(blocks)).then((read) => open(root, read), refuse);
}
