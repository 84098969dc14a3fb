// Which rows of a site's table are shown, and in which order. Pure: no page.

// The rows that have all words, are of the text, and have a cell of this outcome and fate; with the cells that do not match (`out`).
export function chosenRows(rows, { words = "", text = "", outcome = "", fate = "" }) {
  const sought = words.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = (cell) => (!outcome || cell.outcome === outcome) && (!fate || cell.fate === fate);
  return rows
    .filter((row) => sought.every((word) => row.words.includes(word)) && (!text || row.text === text))
    .map((row) => ({ row, out: new Set(row.cells.flat().filter((cell) => !matches(cell))) }))
    .filter(({ row, out }) => row.cells.flat().length > out.size);
}

// The shown rows by a column: the first is that of the questions, which is sorted by its words; null keeps the order they came in.
// `by` is what other columns are sorted by; rows without a value come last.
export function sortedRows(shown, { column, down, by }) {
  const turn = down ? -1 : 1;
  const inOrder = [...shown].sort((one, other) => one.row.number - other.row.number);
  if (column === null) return inOrder;
  if (column === 0) return inOrder.sort((one, other) => -turn * one.row.question.localeCompare(other.row.question));
  const key = { outcome: "rank", calls: "calls", cost: "cost" }[by];
  const value = ({ row }) => {
    const found = (row.cells[column - 1] ?? []).map((cell) => cell[key]).filter((words) => words !== "").map(Number);
    return found.length ? found.reduce((sum, one) => sum + one, 0) / found.length : null;
  };
  return inOrder.sort((one, other) => {
    const [mine, theirs] = [value(one), value(other)];
    if (mine === null || theirs === null) return (mine === null) - (theirs === null);
    return turn * (mine - theirs);
  });
}
