// Back, Forward or an address that leads to the reading that is shown already: the player goes to the step that is named then. Not here:
// a reading that is opened (mount.js makes a player for it).
import { inAddress } from "./page_address.js";

// The step (from 0) that the address names for this reading; null if it names none, or another reading.
export function stepInAddress(run) {
  const named = inAddress("at") ?? "";
  return inAddress("run") === run && /^[1-9]\d{0,6}$/.test(named) ? Number(named) - 1 : null;
}

// Call `arrive(step)` when Back or Forward led to another step of this reading; the returned function stops it.
export function whenNavigated(run, arrive) {
  const { pathname } = window.location;
  const listen = () => {
    const step = window.location.pathname === pathname ? stepInAddress(run) : null;
    if (step !== null) arrive(step);
  };
  window.addEventListener("popstate", listen);
  return () => window.removeEventListener("popstate", listen);
}
