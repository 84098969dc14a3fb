// What a person takes along from a step: a link to it, and a picture of it with its sentence, as PNG or as SVG.
import { html, render } from "../../vendor/preact.js";
import { el, inks } from "./dom.js";
import { addressWith } from "./page_address.js";
import { asPng, asText, nameOfPicture, pictureOfStep } from "./step_picture.js";

// The address of the page at a step.
export const linkToStep = (address, at) => addressWith(address, "at", String(at + 1));

// `shown()` gives the elements of the page that a picture shows.
export function createShare(player, question, shown) {
  const button = el("button", { type: "button", class: "tool share-open", title: "Copy a link to this step, or save a picture of it", text: "Share" });
  const node = el("section", { class: "share", popover: "auto", "aria-label": "Share this step", on: { beforetoggle: ({ newState }) => newState === "open" && draw() } });
  button.popoverTargetElement = node;

  function draw(note = "", link = "") {
    render(html`
      <button type="button" class="tool" onClick=${copy}>Copy link to this step</button>
      <button type="button" class="tool" onClick=${() => save("png")}>Save picture as PNG</button>
      <button type="button" class="tool" onClick=${() => save("svg")}>Save picture as SVG</button>
      ${link && html`<input type="text" class="share-link" readonly value=${link} aria-label="Link to this step" onFocus=${({ target }) => target.select()} />`}
      <p role="status">${note}</p>`, node);
  }

  async function copy() {
    const link = linkToStep(window.location.href, player.at);
    try {
      await navigator.clipboard.writeText(link); // not there on a page without HTTPS
      draw(`The link to step ${player.at + 1} is copied.`);
    } catch {
      draw("This browser lets no page copy; copy the link from here:", link);
    }
  }

  async function save(ending) {
    const { ink, soft, paper } = inks(player.root);
    const step = player.frames.steps[player.at];
    const where = [`step ${player.at + 1} of ${player.frames.steps.length}`, step?.where].filter(Boolean).join(" · ");
    const picture = pictureOfStep({ question, say: step?.say ?? "", where, parts: shown(), ink, soft, paper });
    const blob = ending === "png" ? await asPng(picture) : new Blob([asText(picture)], { type: "image/svg+xml" });
    const address = URL.createObjectURL(blob);
    el("a", { href: address, download: nameOfPicture(question, player.at, ending) }).click();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
    draw(`The picture of step ${player.at + 1} is saved.`);
  }

  return { node, button };
}
