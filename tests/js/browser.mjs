// As much of a browser as these tests need: a window with storage, elements that match a selector, and events with a path.

export class Storage {
  #kept = new Map();
  getItem(key) {
    return this.#kept.get(key) ?? null;
  }
  setItem(key, words) {
    this.#kept.set(key, String(words));
    this[key] = String(words); // so that Object.keys lists the keys, as in a browser
  }
  removeItem(key) {
    this.#kept.delete(key);
    delete this[key];
  }
}

// An element that knows only its tag, its role, and whether it was blurred.
export class Element {
  blurred = false;
  constructor(tag = "div", role = "") {
    Object.assign(this, { tag, role, isConnected: true });
  }
  matches(selector) {
    return selector.split(/,(?![^(]*\))/).some((one) => this.#fits(one));
  }
  // A tag, a role, or an input by its type: `input:not([type=range],[type=checkbox])`, `input[type=checkbox]`.
  #fits(one) {
    const [, tag, not, type] = /^([a-z]+)(:not\()?(.*?)\)?$/.exec(one) ?? [];
    if (tag === this.tag && type) return type.includes(`[type=${this.type}]`) !== Boolean(not);
    return one === this.tag || one === `[role="${this.role}"]` || one === `[role=${this.role}]`;
  }
  closest(selector) {
    return this.matches(selector) ? this : null;
  }
  blur() {
    this.blurred = true;
  }
  // The elements in it with `data-key`.
  querySelectorAll() {
    return this.keyed ?? [];
  }
  // Only the window listens here.
  dispatchEvent(event) {
    event.composedPath = () => [this];
    return window.dispatchEvent(event);
  }
}

// Unlike browsers, node's own does not remove a capturing listener when told `true`.
class Target extends EventTarget {
  removeEventListener(kind, listener, options) {
    super.removeEventListener(kind, listener, options === true ? { capture: true } : options);
  }
}

class KeyboardEvent extends Event {
  constructor(kind, about) {
    super(kind, about);
    const [ctrlKey, altKey, metaKey] = [false, false, false];
    Object.assign(this, { ctrlKey, altKey, metaKey, key: about.key, shiftKey: about.shiftKey, repeat: about.repeat });
  }
}

// A fresh browser window, as the globals that the modules use.
export function openWindow() {
  const window = Object.assign(new Target(), { localStorage: new Storage(), sessionStorage: new Storage() });
  const document = Object.assign(new Target(), { visibilityState: "visible" });
  Object.assign(globalThis, { window, document, Element, KeyboardEvent });
  return window;
}

// A key pressed on an element that is inside others.
export function keyEvent(key, { on = new Element(), inside = [], ...about } = {}) {
  const event = Object.assign(new Event("keydown", { cancelable: true }), { key, shiftKey: false, ctrlKey: false, altKey: false, metaKey: false, repeat: false, ...about });
  event.composedPath = () => [on, ...inside];
  return event;
}
