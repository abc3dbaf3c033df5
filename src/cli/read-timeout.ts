import { showControls } from '../util/control-characters.js';
import { UsageError } from './command.js';

const MAX_SECONDS = 86_400;

/** Returns the milliseconds of `--timeout SECONDS`. */
export function readTimeout(text: string): number {
  const seconds = Number(text);
  if (text.trim() !== '' && seconds > 0 && seconds <= MAX_SECONDS) return Math.ceil(seconds * 1_000);
  throw new UsageError(`--timeout: "${showControls(text)}" is no number of seconds above 0, up to ${MAX_SECONDS}.`);
}
