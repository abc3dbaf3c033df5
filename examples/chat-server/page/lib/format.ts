import type { UsageData } from '../../src/types.js';

const number = new Intl.NumberFormat('en');
const compact = new Intl.NumberFormat('en', { notation: 'compact' });

/** How long ago, in a word. */
export function ago(iso: string, now = Date.now()): string {
  const seconds = Math.max(0, (now - Date.parse(iso)) / 1000);
  if (Number.isNaN(seconds)) return '';
  if (seconds < 60) return 'now';
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ago`;
  if (seconds < 7 * 86_400) return `${Math.floor(seconds / 86_400)} d ago`;
  return new Date(iso).toLocaleDateString('en', { day: 'numeric', month: 'short' });
}

/** `undefined`, if nothing was counted, as in a turn that failed before the server said anything of it. */
export function usageText({ input, output, cached, reasoning, rounds }: UsageData): string | undefined {
  if (input + output === 0) return undefined;
  const cachedText = cached > 0 ? ` (${number.format(cached)} cached)` : '';
  const thought = reasoning > 0 ? `, ${number.format(reasoning)} of them thinking` : '';
  const roundText = rounds > 1 ? ` · ${rounds} rounds` : '';
  return `${number.format(input)} tokens in${cachedText} · ${number.format(output)} out${thought}${roundText}`;
}

/** Where there is little room: all tokens in one number. */
export function shortUsageText({ input, output }: UsageData): string {
  return `${compact.format(input + output)} tokens`;
}

/** What there is to say of a turn: tokens, time, or both. */
export function costText(usage: UsageData, elapsedMs: number | undefined): string {
  const time = elapsedMs === undefined ? undefined : secondsText(elapsedMs);
  return [usageText(usage), time].filter((text) => text !== undefined).join(' · ');
}

/** For the line of a thought. */
export function thoughtText(ms: number | undefined): string {
  return ms === undefined ? 'Thought' : `Thought for ${Math.max(1, Math.round(ms / 1000))} s`;
}

function secondsText(ms: number): string {
  return ms < 10_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 1000)} s`;
}

export function sizeText(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
