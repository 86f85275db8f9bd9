// Candidates' texts: once each, many together in one gzip stream, unpacked when somebody asks for one.

const unpackedBlocks = new Map();
let textBlocks = null;

async function unpackBlock(block) {
  if (!unpackedBlocks.has(block)) {
    textBlocks ??= JSON.parse(byId("texts").textContent);
    const packed = Uint8Array.from(atob(textBlocks[block]), (character) => character.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    unpackedBlocks.set(block, new Uint8Array(await new Response(stream).arrayBuffer()));
  }
  return unpackedBlocks.get(block);
}

/// The text with this index; "" for -1.
async function textOf(index) {
  if (index < 0) return "";
  const [block, offset, length] = report.texts.slice(3 * index, 3 * index + 3);
  return new TextDecoder().decode((await unpackBlock(block)).subarray(offset, offset + length));
}

const longestLine = 4000, mostLines = 5000, mostCharacters = 400000;

/// What a browser can lay out at once; the whole text is what the copy button gives.
function boundedText(text) {
  const lines = text.split("\n");
  const shown = lines.slice(0, mostLines).map((line) =>
    line.length > longestLine ? line.slice(0, longestLine) + " \u2026 " + (line.length - longestLine) + " more characters" : line);
  if (lines.length > mostLines) shown.push("\u2026 " + (lines.length - mostLines) + " more lines");
  const joined = shown.join("\n");
  return joined.length > mostCharacters ? joined.slice(0, mostCharacters) + " \u2026" : joined;
}
