// The decision card: the options at this step, the choice, the stated reason, and what was misread or refused.
import { factBadges } from "../pictures/fact_badges.js";
import { factMarks, factsOf } from "../pictures/fact_marks.js";
import { el } from "./dom.js";
import { term, termed } from "./terms.js";

export function createDecision(player) {
  const at = el("span", {});
  const options = el("ol", { class: "options" });
  const reason = el("div", { class: "quoted" });
  const by = el("span", {});
  const counting = el("p", { class: "counting" });
  const notes = el("ul", { class: "notes" });
  const why = el("div", {}, el("div", { class: "head" }, el("h2", {}, term("stated-reason", "Stated reason")), by), reason, counting);
  const body = el(
    "div",
    { class: "decision" },
    el("div", {}, el("div", { class: "head" }, el("h2", { text: "The decision" }), at), options),
    el("div", {}, why, notes),
  );
  const node = el("section", { class: "card pane", "aria-label": "The decision" }, body);
  let open = new Set();
  let drawn = -1;

  function draw(step) {
    const made = player.frames.steps[step]?.decision;
    if (drawn !== step) open = new Set();
    drawn = step;
    node.hidden = !made || (player.frames.kind === "memory" && !made.notes.length); // its picture shows the look-back and why
    if (!made) return;
    at.textContent = made.at ? `at ${made.at}` : "";
    options.replaceChildren(...made.options.map(option));
    if (!made.options.length) options.replaceChildren(el("li", { class: "plain", text: "No choice was made here." }));
    by.textContent = made.reason ? (made.by_model ? `written by ${made.by ?? "the model"}` : "a rule of the reader") : "";
    reason.className = made.by_model ? "quoted by-model" : "quoted";
    why.hidden = !made.reason && !made.options.length;
    reason.replaceChildren(el("p", { text: made.reason || noReason(made) }));
    counting.textContent = made.counting ?? "";
    counting.hidden = !made.counting || !made.reason;
    notes.replaceChildren(...made.notes.map(({ head, text }) => el("li", {}, el("b", {}, "! ", termed(player.frames, head)), ` ${text}`)));
  }

  // One option; its text unfolds below it.
  function option({ mark, name, picked, note, struck, ref }, number) {
    const text = player.frames.texts[ref];
    const title = el("span", { class: struck ? "name struck" : "name", text: name });
    const about = el("span", { class: "about", text: note });
    const facts = factBadges(factMarks(factsOf(player), [ref], player.at, player.ends()));
    const row = [el("span", { class: "mark", text: mark }), el("span", { class: "title" }, title, facts, text ? el("small", { text: ` ${text}` }) : ""), about];
    const item = el("li", { class: [picked && "picked", open.has(number) && "open"].filter(Boolean).join(" ") });
    if (!text) item.append(el("div", { class: "option" }, ...row));
    else {
      const unfold = () => {
        open.has(number) ? open.delete(number) : open.add(number);
        item.classList.toggle("open", open.has(number));
        press.setAttribute("aria-expanded", String(open.has(number)));
      };
      const press = el("button", { class: "option", type: "button", "aria-expanded": "false", title: "Show more", on: { click: unfold } }, ...row);
      item.append(press);
    }
    return item;
  }

  return { node, draw };
}

// Why there is no stated reason for a choice.
export function noReason({ by_model, asked_why }) {
  if (!by_model) return "A rule of the reader chose.";
  return asked_why ? "The reply gave none." : "The prompt asked for none.";
}
