// Entry point of a page of a published site that lists readings: the address names after its `#` which of them are shown, by the key
// of a number, band or place of the page. Without this script all of them are.
import { inAddress, keepAfterHash } from "../player/page_address.js";

function startListed(section) {
  keepAfterHash();
  const names = JSON.parse(section.dataset.names);
  const rows = [...section.querySelectorAll("li")].map((node) => ({ node, keys: node.dataset.in.split(" ") }));
  const count = section.querySelector(".site-count");
  const whole = section.querySelector(".site-note a");
  const all = count.textContent;

  function draw() {
    const asked = inAddress("list");
    const key = asked in names ? asked : null;
    for (const { node, keys } of rows) node.hidden = key !== null && !keys.includes(key);
    const shown = rows.filter(({ node }) => !node.hidden).length;
    count.textContent = key === null ? all : `${names[key]} (${shown.toLocaleString("en")} of ${all})`;
    whole.hidden = key === null;
    for (const link of document.querySelectorAll('a[href^="#list="]')) link.classList.toggle("chosen", link.getAttribute("href") === `#list=${key}`);
    if (key !== null) section.scrollIntoView({ block: "nearest" });
  }

  window.addEventListener("hashchange", draw);
  draw();
}

if (globalThis.document) for (const section of document.querySelectorAll(".site-listing")) startListed(section);
