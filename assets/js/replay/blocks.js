// The blocks of data of a replay file (components/replay/file.py): JSON as it is, or compressed.

// What a block says.
export async function readBlock({ type, textContent: words }) {
  return JSON.parse(type === "application/json" ? words : await unpacked(words));
}

// What was compressed, in letters and figures, as text.
export async function unpacked(words) {
  const bytes = Uint8Array.from(atob(words), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).text();
}
