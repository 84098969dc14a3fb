// Entry point: a lesson. Another section begins at its top, also where the button to it stood far below, as on a phone.
const sections = new WeakMap();

export default function ({ data, parentElement }) {
  const before = sections.get(parentElement);
  sections.set(parentElement, data.section);
  if (before === undefined || before === data.section) return;
  const names = document.querySelector(".st-key-learn-sections");
  if (names && names.getBoundingClientRect().top < 0) names.scrollIntoView({ block: "start" });
}
