// A site's comparison. The address says after its `#` which readings are compared (`readings`, by content id), which two
// are in the players (`pair`), and the steps of these (`at`).
import { html, render } from "../../vendor/preact.js";
import { hear } from "../player/bus.js";
import { inAddress, keepAfterHash, setInAddress } from "../player/page_address.js";
import { named, opensPair, pairNamed, partedOf } from "./beside.js";
import { Beside } from "./beside_page.js";
import { kept, readingOf } from "./kept.js";
import { createPair } from "./pair.js";
import { addTermCards } from "./term_cards.js";

const UNREADABLE = "The list of readings cannot be loaded. Either the files of this site were moved apart, or this browser is older than 2023 and cannot unpack them.";

async function openComparison(root) {
  keepAfterHash();
  const { top } = root.dataset;
  const listed = await kept("readings", `${top}readings.js`);
  await addTermCards();
  const loaded = new Map(); // what each reading holds, or null if its data are not there
  let state = { chosen: [], missing: [] };
  let shown = null; // the two players, and for which readings they are

  const load = async ({ id }) => loaded.has(id) || loaded.set(id, await readingOf(id, top).catch(() => null));

  // Draws what the address names. Another address that comes meanwhile is drawn instead.
  async function follow() {
    const mine = (state = named(inAddress("readings"), listed.readings));
    await Promise.all(state.chosen.map(load));
    if (state !== mine) return;
    const there = state.chosen.filter(({ id }) => loaded.get(id));
    draw(there, state.chosen.filter((one) => !there.includes(one)));
  }

  function draw(there, lost) {
    const pair = pairNamed(inAddress("pair"), there.length);
    const both = there.length > 1 ? pair.map((n) => there[n]) : null;
    const data = both?.map(({ id }) => loaded.get(id));
    const parted = data ? partedOf(...data) : null;
    const as = JSON.stringify(both?.map(({ id }) => id) ?? null);
    if (as !== shown?.as) {
      shown?.end();
      shown = both && { as, ...playersOf(both, data, parted) };
    }
    const readings = there.map((one) => ({ ...one, data: loaded.get(one.id) }));
    render(html`<${Beside} listed=${listed} readings=${readings} missing=${state.missing} lost=${lost} pair=${pair} parted=${parted} boxes=${shown?.boxes} top=${top} choose=${choose} turn=${turn} />`, root);
    shown?.begin();
  }

  function playersOf(both, data, parted) {
    const opens = opensPair(inAddress("at"), both, parted);
    const same = both[0].reader === both[1].reader;
    const made = createPair(data, { opens, same, parted, rule: parted?.rule ?? listed.rules[same ? "same" : "other"] });
    const at = [...opens];
    const ears = data.map(({ frames }, n) => hear(frames.run, { settled: ({ at: step }) => setInAddress("at", ((at[n] = step), at.map((each) => each + 1).join(","))) }));
    return { ...made, end: () => (ears.forEach((end) => end()), made.end()) };
  }

  // Other readings are compared from now on: steps and places in the players are no longer theirs.
  function choose(ids) {
    for (const [name, value] of [["readings", ids.join(",")], ["pair", ""], ["at", ""]]) setInAddress(name, value);
    follow();
  }

  function turn(pair) {
    setInAddress("pair", pair[0] === 0 && pair[1] === 1 ? "" : pair.map((n) => n + 1).join(","));
    setInAddress("at", "");
    follow();
  }

  window.addEventListener("hashchange", follow);
  await follow();
}

export function startComparing(root) {
  openComparison(root).catch(() => render(html`<p role="alert">${UNREADABLE}</p>`, root));
}
