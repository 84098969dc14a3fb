// Words that were looked for: marked wherever they stand on the page, and a line that leads from passage to passage. The marks are
// highlights of the browser's, which change no element; a browser without them shows the line alone.
import { html, render } from "../../vendor/preact.js";
import { hear, tell } from "./bus.js";
import { wordsWithin } from "./found_words.js";
import { whenUnmounted } from "./unmounted.js";

const REST = 150; // milliseconds without a change of the page, after which the marks are made anew
const NAME = "found-words"; // in the style sheets
const lines = new WeakMap();

export default function (component) {
  const { data, parentElement, setTriggerValue } = component;
  const close = () => setTriggerValue("closed", true);
  const as = JSON.stringify(data);
  if (lines.get(parentElement)?.as !== as) {
    lines.get(parentElement)?.end();
    lines.set(parentElement, { as, end: createFound(parentElement.querySelector(".found-words"), data, close) });
  }
  return whenUnmounted(parentElement, () => {
    lines.get(parentElement)?.end();
    lines.delete(parentElement);
  });
}

function createFound(root, { run, words, passages, at: opened }, close) {
  let here = Math.max(0, passages.findIndex(({ at }) => at === opened));
  let at = opened;

  function go(number) {
    here = number;
    const { at: step, place } = passages[number];
    tell(run, "go", { at: step });
    if (place !== null) tell(run, "show", { place });
    draw();
  }

  function draw() {
    const one = passages[here];
    const said = passages.length ? `${here + 1} of ${passages.length}: ${one.whose}, step ${one.at + 1}${one.at === at ? "" : " (not the step shown)"}` : "is not in what was read and said here";
    const button = (name, words, number) => html`<button type="button" class="tool" aria-label=${words} disabled=${!passages[number]} onClick=${() => go(number)}>${name}</button>`;
    render(html`
      <span class="looked-for" dir="auto">${words.map((phrase) => `“${phrase}”`).join(" ")}</span>
      <span role="status">${said}</span>
      ${button("‹", "The passage before", here - 1)}${button("›", "The next passage", here + 1)}
      <button type="button" class="tool" onClick=${close}>Mark no more</button>`, root);
  }

  const stopMarking = markOnPage(words);
  const ears = hear(run, {
    at: ({ at: step }) => {
      at = step;
      draw();
    },
    ready: () => passages[here]?.at === at && passages[here].place !== null && tell(run, "show", { place: passages[here].place }),
  });
  draw();
  tell(run, "where");
  if (at !== opened && passages[here]?.at === opened) go(here); // by a link to another step of the reading that is shown
  return () => {
    ears();
    stopMarking();
  };
}

// Mark the words on the page, and again when it has changed; what ends this.
function markOnPage(words) {
  if (!globalThis.CSS?.highlights) return () => {};
  const main = document.querySelector('[data-testid="stMain"]') ?? document.body;
  const watched = new Set();
  let resting = 0;
  const changes = new MutationObserver(() => {
    clearTimeout(resting);
    resting = setTimeout(mark, REST);
  });

  function mark() {
    const roots = [main, ...[...main.querySelectorAll("*")].flatMap(({ shadowRoot }) => shadowRoot ?? [])];
    for (const root of roots.filter((one) => !watched.has(one))) {
      watched.add(root);
      changes.observe(root, { childList: true, subtree: true, characterData: true });
    }
    CSS.highlights.set(NAME, new Highlight(...roots.flatMap((root) => rangesIn(root, words))));
  }

  mark();
  return () => {
    changes.disconnect();
    clearTimeout(resting);
    CSS.highlights.delete(NAME);
  };
}

function rangesIn(root, words) {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT, ({ parentElement }) => (parentElement?.closest("style, script, .found-words") ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT));
  const nodes = [];
  while (walker.nextNode()) nodes.push(walker.currentNode);
  return wordsWithin(nodes.map(({ data }) => data), words).map(([start, end]) => {
    const range = document.createRange();
    range.setStart(nodes[start[0]], start[1]);
    range.setEnd(nodes[end[0]], end[1]);
    return range;
  });
}
