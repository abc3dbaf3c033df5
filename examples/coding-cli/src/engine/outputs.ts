import { open } from 'node:fs/promises';
import type { StoredPart } from '../rollout/lines.js';

const KEPT = 50;
/** More of a file is not shown at once. */
const MAX_FILE_BYTES = 5_000_000;
/** Line that stands for the middle of an output, and names the file that holds all of it. */
const MISSING = /\n\[… \d+ characters are missing here; (?:all of it is|its first \d+ bytes are) in (.+) …\]\n/;

/** Outputs of calls, whole: events hold no more than how they begin. */
export class Outputs {
  readonly #recent = new Map<string, string>();
  readonly #parts: () => Iterable<StoredPart>;

  /** `parts`: those of the session, the newest first. */
  constructor(parts: () => Iterable<StoredPart>) {
    this.#parts = parts;
  }

  keep(callId: string, output: unknown): void {
    if (typeof output !== 'string') return;
    this.#recent.set(callId, output);
    const [oldest] = this.#recent.keys();
    if (this.#recent.size > KEPT && oldest !== undefined) this.#recent.delete(oldest);
  }

  /** Returns an output as the model read it. */
  read(callId: string): string | undefined {
    const recent = this.#recent.get(callId);
    if (recent !== undefined) return recent;
    for (const part of this.#parts())
      if (part.type === 'tool-result' && part.toolCallId === callId)
        return typeof part.output === 'string' ? part.output : undefined;
    return undefined;
  }

  /** Returns an output with what the model did not read: a long one of a command is in a file. */
  async whole(callId: string): Promise<string | undefined> {
    const text = this.read(callId);
    const [line, path] = MISSING.exec(text ?? '') ?? [];
    if (text === undefined || line === undefined || path === undefined) return text;
    return (await beginningOf(path)) ?? text;
  }
}

/** `undefined` if the file is gone. */
async function beginningOf(path: string): Promise<string | undefined> {
  const file = await open(path).catch(() => undefined);
  if (file === undefined) return undefined;
  try {
    const { size } = await file.stat();
    const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(size, MAX_FILE_BYTES)), 0, undefined, 0);
    const text = buffer.toString('utf8', 0, bytesRead);
    return size > bytesRead ? `${text}\n… ${size - bytesRead} more bytes in ${path}` : text;
  } finally {
    await file.close();
  }
}
