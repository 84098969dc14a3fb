// The algorithm beside the reading: the method's lines as the paper has them, those that the step ran with its values filled in, and the
// last of them marked. A line leads to the next step that runs it; a switch shows the Python function that does it. Which lines a step
// ran is the reader's to say (readers/engine/record/pseudo_code.py).
import { html, render, useLayoutEffect, useRef } from "../../vendor/preact.js";
import { el } from "./dom.js";
import { keepOnDevice, onDevice } from "./on_device.js";
import { lineAt, nextRunOf } from "./steps.js";

const CHOICE = "algorithm"; // "shown" or "hidden", once a person chose

// `shown`: whether it is shown where nobody has chosen yet. `changed` gives the other panes their new size.
export function createAlgorithm(player, { offered, shown }, changed) {
  let open = chosen(shown);
  let python = false;
  const node = el("section", { class: "card pane algorithm-pane", hidden: "", "aria-label": "The algorithm" });
  const button = el("button", { type: "button", class: "tool algorithm-open", hidden: "", text: "Algorithm", on: { click: () => show(!open) } });

  if (offered) player.keys.on({ algorithm: () => Boolean(player.frames.algorithm) && !player.staged && show(!open) });

  function chosen(otherwise) {
    const choice = onDevice(CHOICE);
    return choice ? choice === "shown" : otherwise;
  }

  function show(on) {
    open = on;
    keepOnDevice(CHOICE, on ? "shown" : "hidden");
    changed();
    return true;
  }

  // The page shows it at first, or no more: another depth was chosen.
  function follow(otherwise) {
    const before = open;
    open = chosen(otherwise);
    if (open !== before) changed();
  }

  function turn() {
    python = !python;
    changed();
  }

  function goTo(n) {
    const found = nextRunOf(player.frames.steps, n, player.at);
    if (found === undefined) player.announce?.("No step of this reading runs this line.");
    else player.go(found);
  }

  function draw(at) {
    const { algorithm, steps } = player.frames;
    button.hidden = !offered || !algorithm;
    node.hidden = !offered || !algorithm || !open;
    button.setAttribute("aria-expanded", String(!node.hidden));
    button.title = `${open ? "Hide" : "Show"} the algorithm beside the reading (p)`;
    if (!node.hidden) render(html`<${Algorithm} algorithm=${algorithm} step=${steps[at]} python=${python} turn=${turn} goTo=${goTo} />`, node);
  }

  return { node, button, draw, follow };
}

function Algorithm({ algorithm, step, python, turn, goTo }) {
  const box = useRef();
  const ran = new Map(step?.ran ?? []);
  const now = lineAt(step);
  const here = algorithm.lines[now];
  const { name, file, from, text } = algorithm.sources[here?.source ?? 0];
  useLayoutEffect(() => {
    if (!python) bringIntoView(box.current, box.current.querySelector(".now"));
  }, [step, python]);
  return html`
    <div class="head"><h2>Algorithm</h2><button type="button" class="tool" aria-pressed=${python} title="Show the Python function that does this line" onClick=${turn}>Python</button></div>
    <div class="algorithm-box" ref=${box} hidden=${python}><ol class="algorithm-lines" onKeyDown=${move}>
      ${algorithm.lines.map(({ words, depth }, n) => html`<li class=${n === now ? "now ran" : ran.has(n) ? "ran" : ""} aria-current=${n === now ? "step" : null}>
        <button type="button" class="algorithm-line" data-depth=${depth} title="Go to the next step that runs this line" onClick=${() => goTo(n)}><span class="number">${n + 1}</span><span class="words">${ran.get(n) || words}</span></button>
      </li>`)}
    </ol></div>
    <div class="algorithm-python" hidden=${!python}>
      <p class="algorithm-place">${name}, ${file}, line ${from}</p>
      <pre tabindex="0" role="region" aria-label="The Python source"><code>${text}</code></pre>
    </div>
    <p class="algorithm-about">${here ? `Line ${now + 1}: ${here.section}` : "This step has no line"} · ${algorithm.paper}</p>`;
}

// Up and down go from line to line.
function move(event) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const all = [...event.currentTarget.querySelectorAll("button")];
  const at = all.indexOf(event.target);
  if (!step || at < 0) return;
  event.preventDefault();
  all[Math.min(all.length - 1, Math.max(0, at + step))].focus();
}

function bringIntoView(box, line) {
  if (!line) return;
  const [outer, inner] = [box.getBoundingClientRect(), line.getBoundingClientRect()];
  if (inner.top < outer.top) box.scrollTop += Math.floor(inner.top - outer.top);
  else if (inner.bottom > outer.bottom) box.scrollTop += Math.ceil(inner.bottom - outer.bottom);
}
