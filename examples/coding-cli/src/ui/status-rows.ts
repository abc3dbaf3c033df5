import { homedir } from 'node:os';
import { costOf, money } from './cost.js';
import { plainLine } from './plain-text.js';
import { cutRow, type Row } from './rows.js';
import type { ScreenModel } from './screen-model.js';
import { cutToWidth, widthOf } from './text-width.js';

/** Model, approval, sandbox, tokens, folder; what does not fit is left out. A hint takes its place. */
export function statusRow({ facts, usage, context, price, columns }: ScreenModel, hint: string | undefined): Row {
  if (hint !== undefined) return cutRow([{ text: ` ${hint}`, color: 'yellow' }], columns);
  if (facts === undefined) return [{ text: ' …', dim: true }];
  const parts = [
    plainLine(facts.model),
    facts.mode === 'plan' ? 'plan' : undefined,
    facts.approval,
    facts.sandbox,
    usage === undefined || usage.total === 0 ? undefined : `${shortCount(usage.total)} tokens`,
    leftIn(context),
    costText(usage, price),
    plainLine(shortPath(facts.cwd)),
  ];
  let text = '';
  for (const part of parts) {
    if (part === undefined) continue;
    const next = text === '' ? part : `${text} · ${part}`;
    if (widthOf(next) <= columns - 2) text = next;
  }
  return [{ text: ` ${cutToWidth(text === '' ? (parts[0] ?? '') : text, columns - 2)}`, dim: true }];
}

function leftIn({ tokens, window }: ScreenModel['context']): string | undefined {
  if (window === undefined || tokens === 0) return undefined;
  return `${Math.max(0, Math.round(100 - (100 * tokens) / window))}% context left`;
}

export function costText(usage: ScreenModel['usage'], price: string | undefined): string | undefined {
  const cost = usage && costOf(usage, price);
  return cost === undefined ? undefined : `cost ${money(cost)}`;
}

export function shortPath(path: string): string {
  const home = homedir();
  return path === home || path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}

export function shortCount(count: number): string {
  return count < 10_000 ? count.toLocaleString('en') : `${(count / 1000).toFixed(count < 100_000 ? 1 : 0)}k`;
}
