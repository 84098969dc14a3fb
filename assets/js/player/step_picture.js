// A picture of a step for a slide or a paper: the question, the step's sentence, the reading map and the reader's picture, as an SVG that
// any program opens, or as a PNG of twice its size. What is on the page is drawn anew, in the colours of the page: boxes with borders,
// words where they stand, drawings as they are, canvases as images. Nothing of it is a script, a link or a page within the picture.
import { svg } from "./dom.js";

const PICTURE_EDGE = 24;
const PNG_SCALE = 2; // of a PNG
const PICTURE_HATCH = 6;
const LEFT_OUT = ".visually-hidden, .tools, .size, .more-words, button.tool, input, select"; // what only a page can do

// The lines of words that fit into a width, broken at spaces; a longer word has a line of its own. `measure` gives a width.
export function linesOf(words, width, measure) {
  const lines = [];
  for (const word of words.split(/\s+/).filter(Boolean)) {
    const longer = lines.length ? `${lines.at(-1)} ${word}` : word;
    if (lines.length && measure(longer) <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

// What a file with a picture is called: "why-did-the-keeper-hide-the-ledger-step-9.png".
export function nameOfPicture(question, at, ending) {
  const words = question.toLowerCase().replace(/[^\p{L}\p{M}\p{N}]+/gu, "-").replace(/^-|-$/g, "").slice(0, 50).replace(/-$/, "");
  return `${words || "reading"}-step-${at + 1}.${ending}`;
}

// The picture as an `<svg>`. `parts` are the elements of the page that it shows, one below the other.
export function pictureOfStep({ question, say, where, parts, paper, ink, soft }) {
  const boxes = parts.map((part) => part.getBoundingClientRect());
  const [left, right] = [Math.min(...boxes.map((box) => box.left)), Math.max(...boxes.map((box) => box.right))];
  const width = right - left + 2 * PICTURE_EDGE;
  const root = svg("svg", { xmlns: "http://www.w3.org/2000/svg", width, "font-family": "Source Sans, Source Sans 3, sans-serif" });
  let y = PICTURE_EDGE;
  for (const [words, size, weight, colour] of [[question, 15, 400, soft], [say, 20, 600, ink], [where, 14, 400, soft]]) {
    const pen = document.createElement("canvas").getContext("2d");
    pen.font = `${weight} ${size}px Source Sans, sans-serif`;
    const measure = (text) => pen.measureText(text).width;
    for (const line of linesOf(words, width - 2 * PICTURE_EDGE, measure)) {
      root.append(written(line, { x: PICTURE_EDGE, y: (y += 1.3 * size) - 0.3 * size, fill: colour, "font-size": size, "font-weight": weight, ...ofWidth(measure(line)) }));
    }
    y += 4;
  }
  parts.forEach((part, n) => {
    const group = svg("g", { transform: `translate(${PICTURE_EDGE - left} ${y + 8 - boxes[n].top})` });
    root.append(group);
    drawElement(part, group, root, "");
    y += boxes[n].height + 8;
  });
  root.setAttribute("height", Math.ceil(y + PICTURE_EDGE));
  root.prepend(svg("rect", { width: "100%", height: "100%", fill: paper }));
  return root;
}

export const asText = (picture) => new XMLSerializer().serializeToString(picture);

// The picture as a PNG, a Blob.
export async function asPng(picture) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(asText(picture))}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [PNG_SCALE * image.width, PNG_SCALE * image.height];
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}

// As wide as on the page, whatever letters the picture is drawn in: it has no fonts of its own.
const ofWidth = (width) => ({ textLength: width, lengthAdjust: "spacingAndGlyphs" });

function written(words, attributes) {
  const text = svg("text", { ...attributes, "xml:space": "preserve" });
  text.textContent = words;
  return text;
}

// Draw an element and all in it into a group, as it stands in the window. `struck`: how words around it are underlined or struck.
function drawElement(element, group, root, struck) {
  const style = getComputedStyle(element);
  const box = element.getBoundingClientRect();
  if (style.visibility === "hidden" || style.display === "none" || Number(style.opacity) === 0 || element.matches(LEFT_OUT)) return;
  if (element.localName === "canvas") return void (box.width && group.append(svg("image", { href: element.toDataURL("image/png"), x: box.left, y: box.top, width: box.width, height: box.height })));
  if (element.localName === "svg") return void group.append(drawingOf(element, box));
  if (Number(style.opacity) < 1) group = group.appendChild(svg("g", { opacity: style.opacity }));
  const boxes = style.display === "inline" ? [...element.getClientRects()] : [box]; // inline: one for each line
  if (style.display !== "contents") for (const each of boxes) drawBox(style, upright(element, style, each), group, root);
  const own = clips(style) ? clipped(box, group, root) : group;
  const line = element.matches(".term") ? struck : [struck, style.textDecorationLine !== "none" && style.textDecorationLine].filter(Boolean).join(" ");
  for (const child of element.childNodes) {
    if (child.nodeType === Node.ELEMENT_NODE) drawElement(child, own, root, line);
    else if (child.nodeType === Node.TEXT_NODE && child.data.trim()) drawWords(child, style, own, { line, edge: style.textOverflow === "ellipsis" && element.scrollWidth > element.clientWidth ? box.right - parseFloat(style.fontSize) : Infinity });
  }
}

// A box that is turned has other edges than its bounding box has.
function upright({ offsetWidth: width, offsetHeight: height }, { transform }, box) {
  const { a, b } = transform === "none" ? { a: 1, b: 0 } : new DOMMatrix(transform);
  if (Math.abs(b) < 0.01) return box;
  const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
  return { left: x - width / 2, top: y - height / 2, width, height, turned: `rotate(${(Math.atan2(b, a) * 180) / Math.PI} ${x} ${y})` };
}

const clips = ({ overflowX, overflowY }) => overflowX !== "visible" || overflowY !== "visible";

function clipped(box, group, root) {
  const id = `clip-${root.querySelectorAll("clipPath").length}`;
  const path = svg("clipPath", { id });
  path.append(svg("rect", { x: box.left, y: box.top, width: box.width, height: box.height }));
  const inside = svg("g", { "clip-path": `url(#${id})` });
  group.append(path, inside);
  return inside;
}

function drawBox(style, { left: x, top: y, width, height, turned }, page, root) {
  if (!width || !height) return;
  const group = svg("g", turned ? { transform: turned } : {});
  const background = style.backgroundImage;
  const fill = background.includes("repeating-linear-gradient") ? hatching(background, root) : background.startsWith("linear-gradient") ? firstColour(background) : style.backgroundColor;
  if (!/^rgba\(.*, 0\)$|^transparent$/.test(fill)) group.append(svg("rect", { x, y, width, height, rx: parseFloat(style.borderTopLeftRadius) || 0, fill }));
  const sides = ["Top", "Right", "Bottom", "Left"].map((side) => ({ wide: parseFloat(style[`border${side}Width`]), kind: style[`border${side}Style`], colour: style[`border${side}Color`] }));
  const dashed = ({ kind, wide }) => (kind === "dotted" ? `${wide} ${wide}` : kind === "dashed" ? `${3 * wide} ${2 * wide}` : "none");
  if (sides.every(({ wide, colour }) => wide === sides[0].wide && colour === sides[0].colour)) {
    const [{ wide, colour }] = sides;
    if (wide) group.append(svg("rect", { x: x + wide / 2, y: y + wide / 2, width: width - wide, height: height - wide, rx: parseFloat(style.borderTopLeftRadius) || 0, fill: "none", stroke: colour, "stroke-width": wide, "stroke-dasharray": dashed(sides[0]) }));
  } else {
    const [[right, bottom], half] = [[x + width, y + height], (n) => sides[n].wide / 2];
    const ends = [[x, y + half(0), right, y + half(0)], [right - half(1), y, right - half(1), bottom], [x, bottom - half(2), right, bottom - half(2)], [x + half(3), y, x + half(3), bottom]];
    sides.forEach((side, n) => side.wide && group.append(svg("line", { x1: ends[n][0], y1: ends[n][1], x2: ends[n][2], y2: ends[n][3], stroke: side.colour, "stroke-width": side.wide, "stroke-dasharray": dashed(side) })));
  }
  const outline = parseFloat(style.outlineWidth);
  if (outline && style.outlineStyle !== "none") group.append(svg("rect", { x: x - outline, y: y - outline, width: width + 2 * outline, height: height + 2 * outline, rx: 4, fill: "none", stroke: style.outlineColor, "stroke-width": outline }));
  if (group.childNodes.length) page.append(group);
}

const firstColour = (background) => /rgba?\([^)]*\)/.exec(background)?.[0] ?? "gray";

// The fill of what is hatched on the page, in the same colour.
function hatching(background, root) {
  const colour = firstColour(background);
  const id = `hatch-${colour.replace(/\W+/g, "-")}`;
  if (!root.querySelector(`[id="${id}"]`)) {
    const pattern = svg("pattern", { id, width: PICTURE_HATCH, height: PICTURE_HATCH, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" });
    pattern.append(svg("rect", { width: 2, height: PICTURE_HATCH, fill: colour }));
    root.append(pattern);
  }
  return `url(#${id})`;
}

// The words of a text, a piece for each line that they stand on; those that reach beyond the `edge` are left out, as on the page.
function drawWords(node, style, group, { line, edge }) {
  const range = document.createRange();
  let piece = null; // [from, until, its box]
  let cut = false;
  const put = () => {
    if (!piece) return;
    const words = node.data.slice(piece[0], piece[1]).replace(/\s+/g, " ") + (cut ? " …" : "");
    const { left: x, bottom, height, width } = piece[2];
    const size = parseFloat(style.fontSize);
    const fit = words.trim() && width && !cut ? ofWidth(width) : {};
    group.append(written(words, { x, y: bottom - (height - size) / 2 - 0.18 * size, fill: style.color, "font-size": size, "font-weight": style.fontWeight, "font-style": style.fontStyle, "font-family": style.fontFamily, direction: style.direction === "rtl" ? "rtl" : "ltr", "text-anchor": style.direction === "rtl" ? "end" : "start", "text-decoration": line, ...fit }));
  };
  const boxOf = (from, until) => {
    range.setStart(node, from);
    range.setEnd(node, until);
    return range;
  };
  const add = (from, until) => {
    const box = boxOf(from, until).getBoundingClientRect();
    if (cut ||= box.right > edge) return;
    const goesOn = piece && Math.abs(box.top - piece[2].top) < 2;
    if (!goesOn) put();
    piece = goesOn ? [piece[0], until, boxOf(piece[0], until).getBoundingClientRect()] : [from, until, box];
  };
  for (const { index, 0: word } of node.data.matchAll(/\S+/g)) {
    const broken = boxOf(index, index + word.length).getClientRects().length > 1; // at a hyphen, or in a script without spaces
    if (!broken) add(index, index + word.length);
    else for (let at = index; at < index + word.length; at += 1) add(at, at + 1);
  }
  put();
}

// A drawing of the page, with the colours and lines that style sheets give it.
function drawingOf(element, box) {
  const copy = element.cloneNode(true);
  const [shapes, copies] = [element, copy].map((each) => [each, ...each.querySelectorAll("*")]);
  shapes.forEach((shape, n) => {
    const style = getComputedStyle(shape);
    for (const name of ["fill", "stroke", "stroke-width", "stroke-dasharray", "opacity", "font-size", "font-weight", "font-family", "visibility", "display", "clip-path"]) {
      const value = style.getPropertyValue(name);
      if (value && value !== "none" || name === "fill" || name === "display") copies[n].setAttribute(name, value);
    }
    copies[n].removeAttribute("class");
    copies[n].removeAttribute("style");
  });
  for (const [name, value] of Object.entries({ x: box.left, y: box.top, width: box.width, height: box.height })) copy.setAttribute(name, value);
  return copy;
}
