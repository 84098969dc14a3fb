// A reading's page in a published site. The address says after its `#` which step is shown (`at`), and the place of the
// text (`fact`, in characters as the browser counts them); with `?embed` the page is only the reading, for a frame in another page.
import { hear } from "../player/bus.js";
import { el } from "../player/dom.js";
import { inAddress, keepAfterHash } from "../player/page_address.js";
import { firstStep } from "../replay/opening.js";
import { startReplay } from "../replay/start.js";
import { readingOf } from "./kept.js";
import { addTermCards } from "./term_cards.js";

const MISSING = "The data of this reading cannot be loaded. Either its files were moved apart, or this browser is older than 2023 and cannot unpack them.";

async function openReading(root) {
  keepAfterHash();
  const { id, top, named } = root.dataset;
  document.body.classList.toggle("embedded", new URL(window.location.href).searchParams.has("embed"));
  const reading = await readingOf(id, top);
  await addTermCards();
  const shown = startReplay(root, [reading], { name: named, tells: inAddress("end") !== "hidden" });
  if (inAddress("end") === "hidden") hideOthers(document.querySelector(".site-beside"), reading.frames);
  const follow = () => {
    if (inAddress("at") !== null) shown.go(firstStep(inAddress("at"), 0));
    if (placeNamed(inAddress("fact")) !== null) shown.show(placeNamed(inAddress("fact")));
  };
  const goThere = () => {
    root.querySelector(".player").scrollIntoView();
    follow();
  };
  if (placeNamed(inAddress("fact")) !== null) follow();
  window.addEventListener("hashchange", goThere);
  document.querySelector(".site-said")?.addEventListener("click", ({ target }) => target.closest("a")?.hash === window.location.hash && goThere());
}

// Where the answer is to be hidden, so are those of other readings and what people said, until the last step.
function hideOthers(beside, { run, steps }) {
  beside.hidden = true;
  hear(run, { settled: ({ at }) => at === steps.length - 1 && (beside.hidden = false) });
}

// Where the place begins that an address names, "120-180"; null for none.
export function placeNamed(words) {
  return /^\d{1,9}-\d{1,9}$/.test(words ?? "") ? Number(words.split("-")[0]) : null;
}

export function startReading(root) {
  openReading(root).catch(() => root.replaceChildren(el("p", { role: "alert", text: MISSING })));
}
