// The card of one entity: who found it, its other names, every mention in the text, and its relations.
import { el, writtenBy } from "../player/dom.js";

export function createEntityCard(player, { close, select }) {
  const title = el("h3", {});
  const about = el("p", { class: "about" });
  const shut = el("button", { type: "button", class: "tool", "aria-label": "Close", on: { click: close } }, "✕");
  const count = el("span", { role: "status" });
  const turn = (text, name, by) => el("button", { type: "button", "aria-label": name, title: name, on: { click: () => mention(at + by) } }, text);
  const mentions = el("p", { class: "visits" }, turn("◀", "Previous mention", -1), count, turn("▶", "Next mention", 1));
  const visits = el("p", { class: "visits" });
  const relations = el("ul", { class: "relations", "aria-label": "Its relations" });
  const by = el("small", {});
  const node = el("div", { class: "node-card", hidden: "" }, el("div", { class: "head" }, title, shut), about, mentions, visits, el("div", { class: "quoted by-model" }, by, relations));
  let spans = [];
  let at = 0;
  let shownCard = null;

  // Show one mention in the text; the first follows the last.
  function mention(number) {
    if (!spans.length) return;
    at = at < 0 && number < 0 ? spans.length - 1 : (number + spans.length) % spans.length;
    count.textContent = `mention ${at + 1} of ${spans.length}`;
    player.show(spans[at][0]);
  }

  function draw(id, state) {
    const picture = player.frames.picture;
    const each = picture.nodes.find((found) => found.id === id);
    const card = picture.cards[id];
    if (!each || !card) return hide();
    node.hidden = false;
    if (shownCard === card && node.dataset.state === state) return;
    node.dataset.state = state;
    title.textContent = picture.names[id] ?? "";
    about.textContent = [picture.meanings[state], card.by.replace("the model", player.frames.by?.[`wrote:${id}`] ?? "the model"), card.names.length && `also called ${card.names.join(", ")}`].filter(Boolean).join(" · ");
    const visited = each.visits.filter((step) => player.ends() || step <= player.at);
    visits.hidden = !visited.length;
    visits.replaceChildren(...visited.map((step) => el("button", { type: "button", text: `step ${step + 1}`, on: { click: () => player.go(step) } })));
    if (shownCard === card) return;
    shownCard = card;
    spans = card.spans;
    mentions.hidden = !spans.length;
    count.textContent = `${spans.length} mention${spans.length === 1 ? "" : "s"} in the text`;
    at = -1;
    by.textContent = `relations, ${writtenBy(player.frames, ...card.relations.flatMap(({ refs }) => refs))}`;
    by.parentElement.hidden = !card.relations.length;
    relations.replaceChildren(...card.relations.map(({ id: other, name, texts }) => el("li", {}, el("button", { type: "button", text: name, on: { click: () => select(other) } }), ` ${texts.join(" ")}`)));
  }

  function hide() {
    node.hidden = true;
    shownCard = null;
  }

  return { node, draw, hide };
}
