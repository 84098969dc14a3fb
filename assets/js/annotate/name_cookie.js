// Keeps in this browser under which name somebody labels, for a year; an empty name is forgotten. In the page and not from the
// server: only a page can write a cookie of its own while it is open.
const COOKIE = "palimpsest_annotator";
const YEAR = 365 * 24 * 60 * 60;

export default function ({ data }) {
  const name = typeof data?.name === "string" ? data.name : "";
  document.cookie = `${COOKIE}=${encodeURIComponent(name)}; path=/; SameSite=Lax; max-age=${name ? YEAR : 0}`;
}
