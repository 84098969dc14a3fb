// What the player puts into the page's address, and reads of it. It replaces the history entry, so that Back leaves the page.

export function inAddress(name) {
  return new URL(window.location.href).searchParams.get(name);
}

// The page and the reading that the address names. What is on its way while they are left is not for the next address.
export function placeInAddress() {
  return `${window.location.pathname}?${inAddress("run") ?? ""}`;
}

// An empty value takes the name out of the address.
export function setInAddress(name, value) {
  const address = new URL(window.location.href);
  if (value) address.searchParams.set(name, value);
  else address.searchParams.delete(name);
  try {
    window.history.replaceState(window.history.state, "", address);
  } catch {} // a browser may refuse it to a page that is a file
}
