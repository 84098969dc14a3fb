// A tour of the Trace page: a small card beside each thing that it speaks of, which is outlined. It begins at a first visit, once a browser,
// and is there again in the list of keys. Arrow keys and buttons go through it, Escape ends it; the page beside it works as ever.
import { el } from "../player/dom.js";
import { joinKeys } from "../player/keymap.js";
import { keepOnDevice, onDevice } from "../player/on_device.js";
import { inAddress } from "../player/page_address.js";
import { placeBeside, scrollToSee } from "./beside.js";
import { TOUR_STOPS, stopsHere, tourComes } from "./stops.js";

const SEEN = "tour"; // on the device: "seen" once it came unasked
const SOON = 500; // milliseconds until it comes: the page is drawn by then
const OFFER_GAP = 16; // pixels below the offer
const CAME_FOR = ["at", "play", "stage"]; // what in the address says that somebody came for something

const isThere = (node) => Boolean(node?.isConnected && node.getClientRects().length);

export function createTour(player) {
  const named = CAME_FOR.some(inAddress); // as it was when the page was opened
  const ring = el("div", { class: "tour-ring" });
  const card = el("section", { class: "tour-card" });
  const node = el("div", { class: "tour", popover: "manual" }, ring, card);
  const button = el("button", { type: "button", class: "tool tour-again", text: "A tour of this page (t)", on: { click: () => begin() } });
  let stops = [];
  let at = -1; // the stop that is shown; -1 for none
  let home = 0; // the step to go back to
  let led = null; // the step that the tour went to
  let focused = null; // what had the focus before
  let frame = 0;
  let soon = 0;
  let keys = null;

  // Come unasked, once. `watched`: it was not opened for the tour, but watched until it ended.
  function come(watched = false) {
    clearTimeout(soon);
    soon = setTimeout(() => {
      const how = tourComes({ seen: onDevice(SEEN) !== null, live: player.frames.live, staged: player.staged, named: named || watched });
      if (how) keepOnDevice(SEEN, "seen");
      if (how === "begun") begin();
      if (how === "offered") offer();
    }, SOON);
  }

  function begin() {
    if (player.frames.live || player.staged) return false;
    end();
    player.keys.node.hidePopover?.();
    stops = stopsHere(TOUR_STOPS, player, isThere);
    focused = player.root.getRootNode().activeElement ?? document.activeElement;
    [home, led] = [player.at, null];
    keepOnDevice(SEEN, "seen");
    open("dialog");
    keys = joinKeys({ place: "tour", root: node, keys: () => KEYS });
    show(0);
  }

  function open(role) {
    card.setAttribute("role", role);
    node.classList.toggle("offers", role !== "dialog");
    card.removeAttribute("style");
    node.showPopover();
  }

  function offer() {
    card.setAttribute("aria-label", "A tour of this page");
    card.replaceChildren(
      el("p", {}, "New here?"),
      el("button", { type: "button", class: "tool tour-next", text: "A tour of this page", on: { click: () => begin() } }),
      closing("No tour"),
    );
    open("region");
    follow();
  }

  // How far above the window's lower end the offer stands: on a phone above the steps, which are docked there.
  function offerBottom() {
    const dock = player.root.querySelector(".stepper");
    const docked = getComputedStyle(dock).position === "sticky";
    return OFFER_GAP + (docked ? Math.max(0, window.innerHeight - dock.getBoundingClientRect().top) : 0);
  }

  const closing = (words) => el("button", { type: "button", class: "tour-end", "aria-label": words, title: words, text: "✕", on: { click: () => end() } });

  function show(wanted) {
    if (wanted < 0) return;
    if (wanted >= stops.length) return end();
    at = wanted;
    const { title, words } = stops[at];
    goTo(stops[at].step?.(player));
    const heading = el("h2", { tabindex: -1, text: title });
    const [back, next] = [["Back", at - 1], [at < stops.length - 1 ? "Next" : "Done", at + 1]].map(([text, to]) => el("button", { type: "button", class: to > at ? "tool tour-next" : "tool", text, on: { click: () => show(to) } }));
    back.hidden = at === 0;
    card.setAttribute("aria-label", `A tour of this page, ${at + 1} of ${stops.length}: ${title}`);
    card.replaceChildren(
      el("div", { class: "tour-head" }, el("span", { text: `${at + 1} of ${stops.length}` }), closing("End the tour (Esc)")),
      heading,
      el("p", { text: words }),
      el("div", { class: "tour-foot" }, el("span", { class: "tour-keys", text: "← → and Esc" }), back, next),
    );
    scroll();
    follow();
    heading.focus({ preventScroll: true });
  }

  // Show the step that the stop needs, or again the one that was shown before.
  function goTo(step) {
    if (player.at !== (led ?? home)) home = player.at; // stepped by the person meanwhile
    const wanted = step ?? home;
    led = wanted === home ? null : wanted;
    if (wanted !== player.at) player.go(wanted, "tour");
  }

  function scroll() {
    const about = stops[at].find(player);
    const page = document.querySelector('[data-testid="stMain"]');
    const bar = player.root.querySelector(".top");
    const stuck = !bar.contains(about) && getComputedStyle(bar).position === "sticky" ? bar.offsetHeight : 0;
    const head = Math.max(0, page.getBoundingClientRect().top) + stuck;
    page.scrollBy({ top: scrollToSee(about.getBoundingClientRect(), card.getBoundingClientRect(), { height: window.innerHeight, head }), behavior: "instant" });
  }

  // Keep card and outline beside what they are about, however the page scrolls and is drawn anew.
  function follow() {
    cancelAnimationFrame(frame);
    if (!node.matches(":popover-open")) return;
    frame = requestAnimationFrame(follow);
    if (at < 0) return void (card.style.bottom = `${offerBottom()}px`);
    const found = stops[at].find(player);
    ring.hidden = !isThere(found);
    if (ring.hidden) return;
    const about = found.getBoundingClientRect();
    put(ring, { left: about.left - 5, top: about.top - 5 });
    [ring.style.width, ring.style.height] = [`${about.width + 10}px`, `${about.height + 10}px`];
    put(card, placeBeside(about, card.getBoundingClientRect(), { width: window.innerWidth, height: window.innerHeight }));
  }

  function put(box, { left, top }) {
    [box.style.left, box.style.top] = [`${left}px`, `${top}px`];
  }

  // Escape ends it from anywhere; arrows go through it while the focus is in the card.
  const inside = (event) => event.composedPath().includes(card);
  const KEYS = [
    { keys: ["Escape"], run: () => end(), always: true },
    { keys: ["ArrowRight"], run: () => show(at + 1), when: inside, always: true, held: true },
    { keys: ["ArrowLeft"], run: () => show(at - 1), when: inside, always: true, held: true },
  ];

  function end() {
    clearTimeout(soon);
    keys?.leave();
    if (node.matches(":popover-open")) node.hidePopover();
    if (at < 0) return;
    at = -1;
    goTo(null);
    (isThere(focused) ? focused : player.keys.button).focus({ preventScroll: true }); // the list of keys is closed meanwhile
  }

  return { node, button, come, begin, end, destroy: end };
}
