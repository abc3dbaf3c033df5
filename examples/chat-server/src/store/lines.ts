import { appendFile, readFile, truncate } from 'node:fs/promises';

/** Placeholder until jsonl of shared is merged. */
export async function appendLine(path: string, line: string): Promise<void> {
  await appendFile(path, `${line}\n`, { mode: 0o600 });
}

export interface ReadLines {
  readonly lines: readonly { readonly number: number; readonly value: unknown }[];
  readonly broken: readonly number[];
}

export async function readLines(path: string, onWarning: (message: string) => void): Promise<ReadLines> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && Reflect.get(error, 'code') === 'ENOENT') return { lines: [], broken: [] };
    throw error;
  }
  const end = text.lastIndexOf('\n') + 1;
  if (end < text.length) {
    onWarning(`${path}: a line that was cut off was dropped.`);
    await truncate(path, Buffer.byteLength(text.slice(0, end)));
  }
  const lines: { number: number; value: unknown }[] = [];
  const broken: number[] = [];
  for (const [index, line] of text.slice(0, end).split('\n').entries()) {
    if (line === '') continue;
    try {
      lines.push({ number: index + 1, value: JSON.parse(line) });
    } catch {
      broken.push(index + 1);
    }
  }
  return { lines, broken };
}
