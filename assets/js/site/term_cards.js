// The explanations of terms on a page of a published site, each hidden until it is opened.
import { el } from "../player/dom.js";
import { kept } from "./kept.js";

// The page has loaded the script that holds them.
export async function addTermCards() {
  for (const card of (await kept("terms")).map(termCard)) document.body.append(card);
}

const termCard = ([id, name, meaning]) => el("span", { class: "term-card", id, popover: "" }, el("b", { text: `${name}:` }), ` ${meaning}`);
