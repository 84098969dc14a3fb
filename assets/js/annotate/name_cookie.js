// Stores the annotator's name in a cookie for a year; an empty name deletes it. Done in the page, not by the server: once a page is
// open, only the page itself can set a cookie.
const COOKIE = "palimpsest_annotator";
const YEAR = 365 * 24 * 60 * 60;

export default function ({ data }) {
  const name = typeof data?.name === "string" ? data.name : "";
  document.cookie = `${COOKIE}=${encodeURIComponent(name)}; path=/; SameSite=Lax; max-age=${name ? YEAR : 0}`;
}
