// The items of the table: each a question that annotators answered differently, with a button for every value that somebody gave, other
// values, and what was decided before. Built again only when the answers change, so that nothing loses the focus.
import { el } from "../../player/dom.js";
import { byValue, same } from "./deciding.js";

// `look(step)` moves the player; `pick(name, key)` takes a side; `other(name)` opens another value.
export function createItems({ deciding, codeName, look, pick, other }) {
  const node = el("ol", { class: "items" });
  let rows = new Map();
  let built = "";

  function draw(data, { at }) {
    const key = JSON.stringify([data.items, data.annotators]);
    const others = data.items.length !== rows.size || data.items.some(({ name }) => !rows.has(name));
    if (others || (key !== built && !inUse())) {
      built = key;
      rows = new Map(data.items.map((item) => [item.name, row(item, data)]));
      node.replaceChildren(...[...rows.values()].map((one) => one.line));
    }
    for (const item of data.items) update(item, rows.get(item.name), { data, at });
  }

  // While somebody chooses in it, what was built stays: it would lose the focus. The next drawing builds it.
  const inUse = () => node.contains(node.getRootNode().activeElement);

  function row(item, data) {
    const sides = byValue(item, data).map((given) => {
      const [{ key, words: value, step }] = given;
      const keys = given.map((side) => el("kbd", { text: side.key, "aria-hidden": "true" }));
      const who = el("b", { text: given.map(({ name }) => name).join(", ") });
      const button = el("button", { type: "button", class: "side", on: { click: () => pick(item.name, key) } }, ...keys, who, el("span", { text: value }));
      const said = given.flatMap(({ name, labels }) => labels.flatMap((label) => words(label, given.length > 1 ? name : "")));
      return { key, button, node: el("div", { class: "a-side" }, button, ...said, lookLink(item.step ? null : step)) };
    });
    const union = data.takes.b[item.name];
    const isSide = item.sides.some(({ name }) => same(union, data.takes[String(data.annotators.indexOf(name) + 1)]?.[item.name]));
    const both = union && !isSide ? el("button", { type: "button", class: "side both", on: { click: () => pick(item.name, "b") } }, el("kbd", { text: "b", "aria-hidden": "true" }), el("b", { text: "Both" }), el("span", { text: union.codes.map(codeName).join(", ") })) : null;
    const select = item.options.length ? otherValue(item) : null;
    const more = select ?? el("button", { type: "button", class: "tool small", on: { click: () => other(item.name) } }, el("span", { text: "Other" }), el("kbd", { text: "o", "aria-hidden": "true" }));
    const chosen = el("p", { class: "chosen" });
    const [sign, standing] = [el("span", { class: "sign", "aria-hidden": "true" }), el("span", { class: "visually-hidden" })];
    const head = el("div", { class: "row head-line" }, sign, el("b", { class: "title", text: item.step ? "Codes" : item.title }), standing, lookLink(item.step), el("span", { class: "more" }, more));
    const line = el("li", { class: "item" }, head, el("div", { class: "sides" }, ...sides.map((side) => side.node)), both, chosen, before(item, data.annotator), item.warning ? el("p", { class: "warning", text: `! ${item.warning}` }) : null);
    return { line, sides, both, select, chosen, sign, standing };
  }

  const lookLink = (step) => (step ? el("button", { type: "button", class: "link look", text: `Look at step ${step}`, on: { click: () => look(step) } }) : null);
  const words = ({ facts, words: said, warning }, who) => [facts || said ? el("p", { class: "said", title: said }, who ? el("b", { text: `${who}: ` }) : null, said, facts ? el("span", { class: "facts", text: said ? ` (${facts})` : facts }) : null) : null, warning ? el("p", { class: "warning", text: `! ${warning}` }) : null];

  function otherValue(item) {
    const select = el("select", { "aria-label": `Other value: ${item.title}`, on: { change: () => deciding.choose(item.name, item.options[Number(select.value)]?.[0]) } });
    select.append(el("option", { value: "", text: "other", disabled: "" }), ...item.options.map(([, text], n) => el("option", { value: String(n), text })));
    return select;
  }

  // Who decided, where it was somebody else or not for the first time; the current value is told by the buttons.
  function before({ history }, viewer) {
    if (!history.length || (history.length === 1 && history[0][1] === viewer)) return null;
    const [[, by, when, why], ...earlier] = history;
    const lines = earlier.map(([what, who, at, reason]) => el("li", { text: [`${what}, ${who}, ${at}`, reason].filter(Boolean).join(": ") }));
    return el("div", { class: "before" }, el("p", { text: [`${by}, ${when}`, why].filter(Boolean).join(": ") }), earlier.length ? el("details", {}, el("summary", { text: `${earlier.length} earlier` }), el("ul", {}, ...lines)) : null);
  }

  function update(item, { line, sides, both, select, chosen, sign, standing }, { data, at }) {
    const value = deciding.value(item.name);
    const taken = (key) => Boolean(value) && same(value, data.takes[key]?.[item.name]);
    for (const side of sides) side.button.setAttribute("aria-pressed", String(taken(side.key)));
    both?.setAttribute("aria-pressed", String(taken("b")));
    const ofAnybody = [...sides.map(({ key }) => key), "b"].some(taken);
    if (select) select.value = value && !ofAnybody ? String(item.options.findIndex(([stored]) => same(stored, value))) : "";
    chosen.textContent = value && !ofAnybody && value.codes ? `◆ ${value.codes.map(codeName).join(", ") || "No code"}` : "";
    sign.textContent = value ? "◆" : "◇";
    standing.textContent = value ? "◆ decided" : item.differs ? "to decide" : "all agree by now";
    line.classList.toggle("decided", Boolean(value));
    line.classList.toggle("current", deciding.current() === item.name);
    line.classList.toggle("here", item.step === at + 1);
    if (deciding.current() === item.name) line.setAttribute("aria-current", "true");
    else line.removeAttribute("aria-current");
  }

  return {
    node, draw,
    focusOther: (name) => rows.get(name)?.select?.focus(),
    host: (name, picker) => rows.get(name)?.line.append(picker),
    reveal: (name) => rows.get(name)?.line.scrollIntoView({ block: "nearest" }),
  };
}
