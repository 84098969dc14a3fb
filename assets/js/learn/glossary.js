// The glossary on Learn. What it says is in the page already (components/learn/glossary.py): this only reports which term's step or page
// a person wants to see.
const wanted = (report) => (event) => {
  const pressed = event.target.closest?.("button[data-term]");
  if (pressed) report("opened", pressed.dataset.term);
};

export default function ({ parentElement, setTriggerValue }) {
  const list = parentElement.querySelector(".glossary");
  list.onclick = wanted(setTriggerValue); // drawn again: the last one counts
}
