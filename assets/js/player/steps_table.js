// Every step as a table: the text version of all pictures, and the search in a reading.
import { html, useLayoutEffect, useMemo, useRef, useState } from "../../vendor/preact.js";
import { reveal } from "./dom.js";
import { phaseAt, stepsWith } from "./steps.js";

export function StepsTable({ frames, at, last, ends, go, node }) {
  const [typed, setTyped] = useState("");
  const [open, setOpen] = useState(node.open);
  const box = useRef();
  const { steps, texts } = frames;
  const until = ends ? last : at;
  const numbers = useMemo(() => (open ? stepsWith(typed, steps, texts, until) : []), [open, typed, steps, until]);
  const rows = useMemo(() => numbers.map((n) => html`<${StepRow} key=${n} n=${n} step=${steps[n]} phases=${frames.phases} go=${go} />`), [numbers]); // the same rows at the next step
  useLayoutEffect(() => {
    const look = () => setOpen(node.open);
    node.addEventListener("toggle", look);
    return () => node.removeEventListener("toggle", look);
  }, []);
  useLayoutEffect(() => {
    box.current.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const row = box.current.querySelector(`[data-step="${at}"]`);
    row?.setAttribute("aria-current", "");
    if (!typed) reveal(box.current, row); // a search keeps its scroll position
  }, [rows, at]);
  const all = steps.length;
  const title = !ends ? "The steps so far in words" : all === 1 ? "The one step in words" : all ? `All ${all} steps in words` : "The steps will appear here in words";
  return html`<summary>${title}</summary>
    <div class="find">
      <input type="search" placeholder="Find in this reading" aria-label="Find in this reading" dir="auto" onInput=${({ target }) => setTyped(target.value)} />
      <span class="count" role="status">${typed.trim() && `${numbers.length} of ${Math.min(all, until + 1)} steps`}</span>
    </div>
    <div class="scroll" ref=${box} tabindex="0" role="region" aria-label="The steps"><table>
      <thead><tr>${["Step", "Where", "What happened"].map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
      <tbody>${rows}</tbody>
    </table></div>`;
}

function StepRow({ n, step, phases, go }) {
  const { where, changed, say, reasons, decision } = step;
  return html`<tr data-step=${n} onClick=${() => go(n)}>
    <td><button type="button" class="go" aria-label=${`Go to step ${n + 1}`} onClick=${() => go(n)}>${n + 1}</button></td>
    <td>${where || phaseAt(phases, n)?.name}</td>
    <td>${changed && html`<b>≠ changed here: </b>`}<bdi>${say}</bdi>${reasons.map((reason) => html`<q class="reason" dir="auto">${reason}</q>`)}${reasons.length > 0 && decision?.counting && html`<small class="counting"> ${decision.counting}</small>`}</td>
  </tr>`;
}
