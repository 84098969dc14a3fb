// As much of a document as the scripts' tests need: elements with attributes, children, listeners and simple selectors, enough for
// Preact to draw into. Not here: layout (every box is at 0), styles, markup.

class Text {
  nodeType = 3;
  parentNode = null;
  constructor(data) {
    this.data = String(data);
  }
  get textContent() {
    return this.data;
  }
  remove() {
    this.parentNode?.removeChild(this);
  }
  get nextSibling() {
    return siblingOf(this, 1);
  }
}

const siblingOf = (node, by) => node.parentNode?.childNodes[node.parentNode.childNodes.indexOf(node) + by] ?? null;
const SELECTOR = /^([\w-]*)((?:\.[\w-]+)*)((?:\[[\w-]+(?:="[^"]*")?\])*)$/; // a tag, classes, attributes

class Element {
  nodeType = 1;
  namespaceURI = "http://www.w3.org/1999/xhtml";
  parentNode = null;
  childNodes = [];
  attrs = new Map();
  listeners = {};
  style = { cssText: "", setProperty(name, value) { this[name] = value; } };
  clientWidth = 400;
  constructor(tag) {
    this.localName = this.tag = tag;
  }
  get attributes() {
    return Object.assign([...this.attrs].map(([name, value]) => ({ name, value })), Object.fromEntries(this.attrs));
  }
  get dataset() {
    const element = this;
    const attribute = (name) => `data-${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    return new Proxy({}, {
      get: (_, name) => element.getAttribute(attribute(name)) ?? undefined,
      set: (_, name, value) => (element.setAttribute(attribute(name), value), true),
      has: (_, name) => element.attrs.has(attribute(name)),
      deleteProperty: (_, name) => (element.removeAttribute(attribute(name)), true),
    });
  }
  get className() {
    return this.attrs.get("class") ?? "";
  }
  set className(names) {
    this.setAttribute("class", names);
  }
  get classList() {
    const names = () => this.className.split(" ").filter(Boolean);
    return {
      contains: (name) => names().includes(name),
      add: (...more) => (this.className = [...new Set([...names(), ...more])].join(" ")),
      remove: (...less) => (this.className = names().filter((name) => !less.includes(name)).join(" ")),
      toggle: (name, on = !names().includes(name)) => (this.className = [...names().filter((other) => other !== name), ...(on ? [name] : [])].join(" ")),
    };
  }
  get hidden() {
    return this.attrs.has("hidden");
  }
  set hidden(on) {
    on ? this.setAttribute("hidden", "") : this.removeAttribute("hidden");
  }
  get children() {
    return this.childNodes.filter((child) => child.nodeType === 1);
  }
  get firstChild() {
    return this.childNodes[0] ?? null;
  }
  get nextSibling() {
    return siblingOf(this, 1);
  }
  get textContent() {
    return this.childNodes.map((child) => child.textContent).join("");
  }
  set textContent(words) {
    this.replaceChildren(...(String(words) === "" ? [] : [String(words)]));
  }
  setAttribute(name, value) {
    this.attrs.set(name, String(value));
  }
  getAttribute(name) {
    return this.attrs.get(name) ?? null;
  }
  hasAttribute(name) {
    return this.attrs.has(name);
  }
  removeAttribute(name) {
    this.attrs.delete(name);
  }
  insertBefore(node, before) {
    const child = typeof node === "object" ? node : new Text(node);
    child.parentNode?.removeChild(child);
    const at = before ? this.childNodes.indexOf(before) : -1;
    this.childNodes.splice(at < 0 ? this.childNodes.length : at, 0, child);
    child.parentNode = this;
    return child;
  }
  append(...nodes) {
    for (const node of nodes) this.insertBefore(node, null);
  }
  appendChild(node) {
    return this.insertBefore(node, null);
  }
  removeChild(node) {
    this.childNodes = this.childNodes.filter((child) => child !== node);
    node.parentNode = null;
  }
  remove() {
    this.parentNode?.removeChild(this);
  }
  replaceChildren(...nodes) {
    for (const child of [...this.childNodes]) this.removeChild(child);
    this.append(...nodes);
  }
  addEventListener(kind, listener) {
    this.listeners[kind] = listener;
  }
  removeEventListener(kind) {
    delete this.listeners[kind];
  }
  // What a person does; the event goes to the listener of this element alone.
  dispatch(kind, event = {}) {
    return this.listeners[kind]?.call(this, { type: kind, target: this, currentTarget: this, preventDefault() {}, stopPropagation() {}, ...event });
  }
  getBoundingClientRect() {
    return { top: 0, bottom: 0, left: 0, right: 0, width: 0, height: 0 };
  }
  scrollIntoView() {}
  focus() {}
  matches(selector) {
    const [, tag, classes, attributes] = SELECTOR.exec(selector) ?? [];
    if (tag === undefined) throw new Error(`the tests' document does not know the selector ${selector}`);
    return (
      (!tag || tag === this.tag) &&
      classes.split(".").slice(1).every((name) => this.classList.contains(name)) &&
      [...attributes.matchAll(/\[([\w-]+)(?:="([^"]*)")?\]/g)].every(([, name, value]) => this.hasAttribute(name) && (value === undefined || this.getAttribute(name) === value))
    );
  }
  querySelectorAll(selector) {
    return this.children.flatMap((child) => [...(child.matches(selector) ? [child] : []), ...child.querySelectorAll(selector)]);
  }
  querySelector(selector) {
    return this.querySelectorAll(selector)[0] ?? null;
  }
}

export function openDocument() {
  globalThis.document = {
    createElement: (tag) => new Element(tag),
    createElementNS: (space, tag) => Object.assign(new Element(tag), { namespaceURI: space }),
    createTextNode: (words) => new Text(words),
  };
}
