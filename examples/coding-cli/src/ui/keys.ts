import { emitKeypressEvents, type Interface, type Key as ReadlineKey } from 'node:readline';
import { setImmediate } from 'node:timers/promises';
import type { ReadStream } from 'node:tty';

/** A key that was pressed, or text that was pasted as one piece. */
export interface Key {
  /** `a`, `return`, `enter` (Ctrl-J), `escape`, `up`, `paste` …; absent for other characters. */
  readonly name?: string | undefined;
  /** What it writes, if it writes anything. */
  readonly text: string;
  readonly ctrl: boolean;
  readonly meta: boolean;
}

const PASTE_ON = '\u001B[?2004h';
const PASTE_OFF = '\u001B[?2004l';
/** A lone Esc is one if nothing follows it for so long; slow connections cut sequences. */
const ESCAPE_MS = 50;
const PASTE_LIMIT = 1_000_000;

/** What waited for the program is read in the next poll for input, which may come behind the first of the two. */
export async function waitingKeysRead(): Promise<void> {
  await setImmediate();
  await setImmediate();
}

/**
 * Puts the terminal into raw mode and calls `onKey`, until the returned function is called. Until then the terminal makes a
 * line feed of Enter: one that waited for the program is Enter.
 */
export function readKeys(
  input: ReadStream,
  output: { write(text: string): unknown },
  onKey: (key: Key) => void,
): () => void {
  let isEarly = true;
  const onPress = keyReader((key) => onKey(isEarly && key.name === 'enter' ? { ...key, name: 'return' } : key));
  const listener = (text: string | undefined, key: ReadlineKey): void => onPress(text, key);
  // The second argument needs only this of an interface.
  emitKeypressEvents(input, { escapeCodeTimeout: ESCAPE_MS } as unknown as Interface);
  input.setRawMode(true);
  input.on('keypress', listener);
  input.resume();
  void waitingKeysRead().then(() => (isEarly = false));
  output.write(PASTE_ON);
  return () => {
    input.off('keypress', listener);
    input.pause();
    output.write(PASTE_OFF);
    // A terminal that is gone has no mode.
    if (!input.destroyed) input.setRawMode(false);
  };
}

/** Readline hands over a paste key by key, between two marks. */
function keyReader(onKey: (key: Key) => void): (text: string | undefined, key: ReadlineKey) => void {
  let pasted: string[] | undefined;
  return (text, { name, sequence, ctrl = false, meta = false, shift = false }) => {
    if (name === 'paste-start') {
      pasted = [];
    } else if (name === 'paste-end') {
      const whole = (pasted ?? []).join('').slice(0, PASTE_LIMIT).replace(/\r\n?/g, '\n');
      pasted = undefined;
      onKey({ name: 'paste', text: whole, ctrl: false, meta: false });
    } else if (pasted !== undefined) {
      pasted.push(sequence ?? text ?? '');
    } else {
      // Only of this key Shift makes another one.
      const shifted = name === 'tab' && shift ? 'backtab' : name;
      onKey({ name: shifted, text: writtenBy(text, ctrl, meta), ctrl, meta });
    }
  };
}

function writtenBy(text: string | undefined, ctrl: boolean, meta: boolean): string {
  return text === undefined || ctrl || meta || /^\p{Cc}/u.test(text) ? '' : text;
}
