// What the browser remembers of a person's own choices, on this device alone: nothing of it reaches Python. Where nothing can be
// remembered (a file opened by itself, a browser that forbids it), a choice holds until the page is left.

const PREFIX = "palimpsest.";
const forNow = new Map();

export function onDevice(name) {
  try {
    return window.localStorage.getItem(PREFIX + name) ?? forNow.get(name) ?? null;
  } catch {
    return forNow.get(name) ?? null;
  }
}

export function keepOnDevice(name, value) {
  forNow.set(name, value);
  try {
    window.localStorage.setItem(PREFIX + name, value);
  } catch {
    // for this page alone
  }
}
