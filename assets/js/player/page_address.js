// What the player puts into the page's address, and reads of it. It replaces the history entry, so that Back leaves the page.
// Pages of a published site keep it after the `#`: their addresses then work on any server and from a disk, too.

let afterHash = false;

// From now on, addresses are read and written after the `#`.
export function keepAfterHash() {
  afterHash = true;
}

const namesIn = (address) => (afterHash ? new URLSearchParams(address.hash.slice(1)) : address.searchParams);

export function inAddress(name) {
  return namesIn(new URL(window.location.href)).get(name);
}

// The page and the reading that the address names. What is on its way while they are left is not for the next address.
export function placeInAddress() {
  return `${window.location.pathname}?${inAddress("run") ?? ""}`;
}

// An address with another value of a name; an empty one takes the name out.
export function addressWith(href, name, value) {
  const address = new URL(href);
  const names = namesIn(address);
  if (value) names.set(name, value);
  else names.delete(name);
  if (afterHash) address.hash = names.toString();
  return address.href;
}

export function setInAddress(name, value) {
  try {
    window.history.replaceState(window.history.state, "", addressWith(window.location.href, name, value));
  } catch {} // a browser may refuse it to a page that is a file
}
