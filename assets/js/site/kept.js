// What the files of data of a published site hold: each is a script that puts one compressed value under its name (components/publish/
// data.py), so that a page may load it from a disk, where nothing can be fetched.
import { el } from "../player/dom.js";
import { unpacked } from "../replay/blocks.js";

// The value of a name, whose script may have to be loaded first. Rejects if it is not there.
export async function kept(name, address) {
  const values = (globalThis.palimpsest ??= {});
  if (!(name in values)) await loaded(address);
  if (!(name in values)) throw new Error(`${address} does not hold ${name}`);
  return JSON.parse(await unpacked(values[name]));
}

function loaded(address) {
  return new Promise((done, fail) => {
    document.head.append(el("script", { src: address, on: { load: done, error: () => fail(new Error(`${address} is not there`)) } }));
  });
}

// A reading with its text. `root` is the way from the page to the top of the site, such as "../../".
export async function readingOf(id, root) {
  const reading = await kept(`reading ${id}`, `${root}reading/${id}/data.js`);
  reading.frames.text.whole = await kept(`text ${reading.document}`, `${root}texts/${reading.document}.js`);
  return reading;
}
