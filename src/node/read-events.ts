import { type FileLine, readLine, VERSION } from './event-format.js';

export interface ReadOptions {
  /** The name of the file, for messages. */
  readonly name: string;
  /** Called for a line of another program or half a line. @default the line is skipped */
  readonly onOdd?: () => void;
}

/**
 * Reads the lines of a file of `recordEvents`.
 *
 * @throws Error for a file of a newer version, and for a file without any line of ours
 */
export async function* readEvents(
  chunks: AsyncIterable<string>,
  { name, onOdd }: ReadOptions,
): AsyncGenerator<FileLine, void, undefined> {
  let hasAny = false;
  for await (const text of linesOf(chunks)) {
    if (text.trim() === '') continue;
    const line = readLine(text);
    if (line === undefined) {
      onOdd?.();
      continue;
    }
    if ('version' in line && line.version > VERSION)
      throw new Error(
        `${name} was written in version ${line.version} of the format, and this is version ${VERSION}: use the responses-loop that wrote it, or a newer one.`,
      );
    hasAny = true;
    yield line;
  }
  if (!hasAny)
    throw new Error(
      `${name} contains no events: it was not written by recordEvents ("responses-loop/node"), or nothing was recorded.`,
    );
}

/** Joins a long line once, not with each chunk. `node:readline` also ends lines at U+2028, which JSON allows. */
async function* linesOf(chunks: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
  let begun: string[] = [];
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf('\n'); end >= 0; end = chunk.indexOf('\n', start)) {
      begun.push(chunk.slice(start, end));
      yield begun.join('');
      begun = [];
      start = end + 1;
    }
    if (start < chunk.length) begun.push(chunk.slice(start));
  }
  if (begun.length > 0) yield begun.join('');
}
