// As much of a document as the pictures made of elements need: elements with attributes, children and one kind of selector.

class Node {
  children = [];
  dataset = {};
  attributes = {};
  style = { setProperty() {} };
  hidden = false;
  clientWidth = 400;
  #words = "";
  constructor(tag) {
    this.tag = tag;
  }
  get className() {
    return this.attributes.class ?? "";
  }
  set className(names) {
    this.attributes.class = names;
  }
  get textContent() {
    return this.#words + this.children.map((child) => child.textContent ?? child).join("");
  }
  set textContent(words) {
    this.children = [];
    this.#words = String(words);
  }
  setAttribute(name, value) {
    this.attributes[name] = String(value);
    if (name === "hidden") this.hidden = true;
  }
  getAttribute(name) {
    return this.attributes[name] ?? null;
  }
  append(...nodes) {
    this.children.push(...nodes);
  }
  replaceChildren(...nodes) {
    this.textContent = "";
    this.append(...nodes);
  }
  addEventListener() {}
  removeAttribute(name) {
    delete this.attributes[name];
  }
  getBoundingClientRect() {
    return { top: 0, bottom: 0 };
  }
  // A class (`.mark`) or a tag (`h4`).
  querySelectorAll(selector) {
    const fits = (node) => (selector.startsWith(".") ? node.className.split(" ").includes(selector.slice(1)) : node.tag === selector);
    return this.children.flatMap((child) => (child instanceof Node ? [...(fits(child) ? [child] : []), ...child.querySelectorAll(selector)] : []));
  }
  querySelector(selector) {
    return this.querySelectorAll(selector)[0] ?? null;
  }
}

export function openDocument() {
  globalThis.document = { createElement: (tag) => new Node(tag), createElementNS: (_, tag) => new Node(tag) };
}
