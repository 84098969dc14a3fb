// Names as a phrase: "a", "a and b", "a, b and c". Pure.
export function listed(names) {
  const last = names.at(-1) ?? "";
  return names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${last}` : last;
}
