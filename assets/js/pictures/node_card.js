// The card of one node: the part it stands for, what happened to it, the working memory carried there, and its whole summary.
import { el, writtenBy } from "../player/dom.js";

export function createNodeCard(player, { close }) {
  const title = el("h3", {});
  const about = el("p", { class: "about" });
  const carried = el("p", { class: "about" });
  const visits = el("p", { class: "visits" });
  const summary = el("p", {});
  const by = el("small", {});
  const shut = el("button", { type: "button", class: "tool", "aria-label": "Close", on: { click: close } }, "✕");
  const place = el("button", { type: "button", text: "Show its place in the text" });
  const node = el("div", { class: "node-card", hidden: "" }, el("div", { class: "head" }, title, shut), about, carried, visits, el("div", { class: "quoted by-model" }, by, summary));

  function draw(id, state) {
    const { nodes, names, texts, meanings, carried: memory } = player.frames.picture;
    const each = nodes.find((found) => found.id === id);
    node.hidden = false;
    title.textContent = names[id] ?? each?.name ?? "";
    const span = each?.span;
    const percent = (offset) => ((100 * offset) / Math.max(1, player.frames.text.chars)).toFixed(1).replace(".0", "");
    about.textContent = [meanings[state] ?? { answer: "the answer is from here" }[state], span && `stands for ${percent(span[0])}% to ${percent(span[1])}% of the text`].filter(Boolean).join(" · ");
    const visited = (each?.visits ?? []).filter((step) => player.ends() || step <= player.at);
    const refs = visited.map((step) => memory[step]).find(Boolean);
    carried.hidden = !refs;
    carried.textContent = refs ? `Working memory carried here: the summaries of ${refs.join(", ")}.` : "";
    const steps = visited.map((step) => el("button", { type: "button", text: `step ${step + 1}`, on: { click: () => player.go(step) } }));
    place.onclick = () => player.show(span[0]);
    visits.replaceChildren(...steps, ...(span ? [place] : []));
    by.textContent = `summary, ${writtenBy(player.frames, `wrote:${id}`)}`;
    summary.textContent = texts[id] ?? "";
  }

  return { node, draw, hide: () => (node.hidden = true) };
}
