// Small helpers for the DOM and the canvas. Data is put on the page as text, never as markup.

// Make an element. `about`: `class`, `text`, `on` (listeners); the rest are attributes. Then its children.
export function el(tag, about = {}, ...children) {
  const { class: name, text, on = {}, ...attributes } = about;
  const node = document.createElement(tag);
  if (name) node.className = name;
  if (text !== undefined) node.textContent = text;
  for (const [kind, listener] of Object.entries(on)) node.addEventListener(kind, listener);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "style") node.style.cssText = value; // an attribute would need a policy that allows any style
    else if (value !== undefined && value !== false) node.setAttribute(key, value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined && child !== ""));
  return node;
}

// Who wrote the texts with these refs; the model, unless the frames say otherwise: a person, or a rule made some of them or all.
export function writtenBy(frames, ...refs) {
  const authors = refs.map((ref) => frames.by?.[ref] ?? "the model");
  const found = new Set(authors.filter((author) => author !== "a rule"));
  const ruled = authors.length - authors.filter((author) => found.has(author)).length;
  if (ruled && !found.size) return "made by a rule";
  const written = `written by ${found.size > 1 ? "the model and a person" : ([...found][0] ?? "the model")}`;
  return ruled ? `${ruled} of them made by a rule, the others ${written}` : written;
}

// Whether a box that scrolls goes on below what is in view: its style sheet says so at its lower edge.
const A_LINE = 12; // pixels; less than that is no line of it
export const tellMore = (box) => box?.classList.toggle("goes-on-below", box.scrollHeight - box.clientHeight - box.scrollTop > A_LINE);

// The class of a text that is quoted, by who wrote it.
export const quotedBy = (author) => (author.includes("model") ? "by-model" : "by-other");

const NAMES = ["ground", "paper", "ink", "soft", "line", "raw", "stood-for", "not-covered", "evidence", "lost", "model", "warn", "raw-tint"];

// The palette in the current theme, for drawing on a canvas, which knows no custom properties. Read once a theme: to read a colour, the
// browser has to apply every change of the page first.
export function inks(root) {
  if (!root.inks) renewInks(root);
  return root.inks;
}

// Read the palette again; whether it has changed.
export function renewInks(root) {
  const probe = root.querySelector(".probe");
  const found = NAMES.map((name) => {
    probe.style.color = `var(--${name})`;
    return getComputedStyle(probe).color;
  });
  const same = found.join() === Object.values(root.inks ?? {}).join();
  root.inks = Object.fromEntries(NAMES.map((name, n) => [name, found[n]]));
  return !same;
}

// Calls `act` whenever the palette has changed, with the theme or because its style sheet came late, with the palette read again; returns
// what ends this. The probe's background is a colour of the palette, and a transition (player.css) says when it is another.
export function onRecolour(root, act) {
  const probe = root.querySelector(".probe");
  const look = () => renewInks(root) && act();
  probe.addEventListener("transitionrun", look);
  return () => probe.removeEventListener("transitionrun", look);
}

// A canvas's context, cleared and scaled to the screen's resolution; width and height in CSS pixels.
export function sheet(canvas) {
  const ratio = window.devicePixelRatio || 1;
  const width = canvas.clientWidth;
  const height = canvas.clientHeight;
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
  }
  const context = canvas.getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  return { context, width, height };
}

// Scroll a box, and nothing around it, until a row of its table is visible below the head.
export function reveal(box, line) {
  if (!box?.clientHeight || !line) return;
  const [outer, inner] = [box.getBoundingClientRect(), line.getBoundingClientRect()];
  const head = box.querySelector("thead")?.offsetHeight ?? 0;
  if (inner.top < outer.top + head) box.scrollTop += Math.floor(inner.top - outer.top - head);
  else if (inner.bottom > outer.bottom) box.scrollTop += Math.ceil(inner.bottom - outer.bottom);
}

export const calm = () => window.matchMedia("(prefers-reduced-motion: reduce)").matches;

// An element of a drawing.
export function svg(tag, attributes) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

// The document offset of a point in a paragraph; null outside any paragraph.
export function placeOf(node, offset) {
  const inner = node instanceof Element ? (node.childNodes[offset] ?? node.lastChild ?? node) : node;
  const paragraph = (inner instanceof Element ? inner : inner.parentElement)?.closest("p[data-start]");
  if (!paragraph) return null;
  const before = document.createRange();
  before.setStart(paragraph, 0);
  if (paragraph.contains(node)) before.setEnd(node, offset);
  else before.setEnd(paragraph, 0);
  return Number(paragraph.dataset.start) + before.toString().length;
}

// A range at one character of a paragraph or mark, which may be pages long.
export function character(node, offset) {
  let at = offset - Number(node.dataset.start);
  const texts = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
  let words = texts.nextNode();
  for (let next = words; next && at >= words.length; words = next ?? words) {
    next = texts.nextNode();
    if (next) at -= words.length;
  }
  if (!words || !(offset > Number(node.dataset.start))) return node;
  const range = document.createRange();
  range.setStart(words, Math.min(at, words.length));
  range.setEnd(words, Math.min(at, words.length));
  return range;
}
