/** Longer than any submission; a line that never ends must not fill the memory. */
const MAX_CHARS = 16_000_000;

/** The lines of a stream of bytes. Only `\n` ends one: JSON may hold the other marks that `node:readline` takes for ends. */
export async function* linesOf(stream: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  let isTooLong = false;
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      yield isTooLong ? '' : line;
      isTooLong = false;
    }
    if (rest.length > MAX_CHARS) {
      if (!isTooLong) yield rest.slice(0, 100);
      isTooLong = true;
      rest = '';
    }
  }
  if (rest !== '' && !isTooLong) yield rest;
}
