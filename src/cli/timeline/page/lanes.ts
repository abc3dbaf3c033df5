import type { CallView, RoundView, ToolView } from '../model.js';
import { svg } from './dom.js';
import { duration, niceStep, tickLabel } from './format.js';

const ROUND_HEIGHT = 18;
const MARKS_HEIGHT = 12;
const AXIS_HEIGHT = 18;
const GAP = 2;
/** Height of many lanes together. */
const LANES_HEIGHT = 150;
const MIN_BAR = 1.5;
const TICK_PX = 110;

export interface Window {
  /** Pixels per millisecond. */
  readonly scale: number;
  /** The visible range, in pixels from the beginning of the call. */
  readonly from: number;
  readonly to: number;
}

export function lanesHeight({ lanes }: CallView): number {
  return MARKS_HEIGHT + ROUND_HEIGHT + GAP + lanes * laneHeight(lanes) + AXIS_HEIGHT;
}

function laneHeight(lanes: number): number {
  return Math.max(3, Math.min(15, Math.floor(LANES_HEIGHT / Math.max(1, lanes))));
}

interface Bar {
  readonly key: string;
  readonly x: number;
  readonly width: number;
  readonly y: number;
  readonly height: number;
  readonly kind: string;
  readonly text: string;
  readonly title: string;
}

/** Always drawn, however small. */
const BAD = /error|denied|failed|bad/;

/** Draws the visible bars; bars that share their pixels become one. */
export function drawLanes(call: CallView, key: string, window: Window): SVGElement[] {
  const drawn: SVGElement[] = [...axis(call, window)];
  const ends = new Map<number, number>();
  for (const bar of barsOf(call, key, window)) {
    const end = bar.x + bar.width;
    const isCovered = end <= (ends.get(bar.y) ?? -1) && !BAD.test(bar.kind);
    if (isCovered || bar.x > window.to || end < window.from) continue;
    ends.set(bar.y, end);
    drawn.push(...shapesOf(bar));
  }
  return drawn;
}

/** Draws an outline around the bar of one line. */
export function outlineOf(call: CallView, key: string, selected: string, window: Window): SVGElement[] {
  for (const { key: each, kind, x, y, width, height } of barsOf(call, key, window))
    if (each === selected && kind !== 'wait')
      return [svg('rect', { x: x - 0.5, y: y - 0.5, width: width + 1, height: height + 1, rx: 2, class: 'outline' })];
  return [];
}

function* barsOf(call: CallView, key: string, { scale }: Window): Generator<Bar> {
  for (const [at, round] of call.rounds.entries()) yield* roundBars(round, `${key}r${at}`, scale);
  const height = laneHeight(call.lanes);
  for (const [at, tool] of call.tools.entries()) yield* toolBars(tool, `${key}#${at}`, { scale, height });
  for (const { from, kind, text, tone } of call.marks) {
    if (tone === 'info') continue;
    const place = { x: Math.max(0, Math.min(from, call.ms) * scale - 3), width: 3, y: 0, height: MARKS_HEIGHT - 4 };
    yield { ...place, key: '', kind: `mark ${tone}`, text: '', title: `${kind}: ${text}` };
  }
}

function* roundBars({ round, from, ms, firstMs, finish }: RoundView, key: string, scale: number): Generator<Bar> {
  const first = firstMs === undefined ? '' : `, first part after ${duration(firstMs)}`;
  const title = `Round ${round + 1}: ${duration(ms)}${first}`;
  const kind = finish === 'error' ? 'round failed' : 'round';
  const width = Math.max(MIN_BAR, ms * scale - 1);
  const bar = { key, y: MARKS_HEIGHT, height: ROUND_HEIGHT - GAP, title };
  // The mark would cross the number.
  const text = firstMs !== undefined && firstMs * scale < 8 + 7 * String(round + 1).length ? '' : String(round + 1);
  yield { ...bar, x: from * scale, width, kind, text };
  if (firstMs !== undefined && width > 6)
    yield { ...bar, x: (from + firstMs) * scale, y: bar.y + 0.1, width: MIN_BAR, kind: 'first', text: '' };
}

function* toolBars(tool: ToolView, key: string, { scale, height }: { scale: number; height: number }): Generator<Bar> {
  const { from, ms, lane, name, state, waitMs = 0 } = tool;
  const waited = waitMs > 0 ? `, waited ${duration(waitMs)} for approval` : '';
  const y = MARKS_HEIGHT + ROUND_HEIGHT + GAP + lane * height;
  const bar = { key, y, height: height - (height > 4 ? GAP : 1), title: `${name}: ${state}, ${duration(ms)}${waited}` };
  if (waitMs * scale > 1)
    yield { ...bar, x: Math.max(0, from - waitMs) * scale, width: waitMs * scale, kind: 'wait', text: '' };
  const width = Math.max(MIN_BAR, ms * scale - 1);
  yield { ...bar, x: from * scale, width, kind: `tool ${state}`, text: height > 10 ? name : '' };
}

/** The tooltip is built from `data-title` on hover, because thousands of bars need none. */
function shapesOf({ key, x, y, width, height, kind, text, title }: Bar): SVGElement[] {
  const place = { x: round2(x), y, width: round2(width), height, rx: width > 4 ? 2 : 0 };
  const rect = svg('rect', { ...place, class: kind, 'data-key': key, 'data-title': title.slice(0, 500) });
  const letters = Math.floor((width - 6) / 6.4);
  if (text === '' || letters < Math.min(2, text.length)) return [rect];
  const shown = text.length <= letters ? text : `${text.slice(0, Math.max(1, letters - 1))}…`;
  return [rect, svg('text', { x: x + 4, y: y + height - (height > 13 ? 4 : 3), class: 'on-bar' }, shown)];
}

function* axis(call: CallView, { scale, from, to }: Window): Generator<SVGElement> {
  const step = niceStep(TICK_PX / scale);
  const bottom = lanesHeight(call) - AXIS_HEIGHT;
  const end = Math.min(to / scale, call.ms + step);
  for (let ms = Math.floor(from / scale / step) * step; ms <= end; ms += step) {
    const x = ms * scale;
    yield svg('line', { x1: x, x2: x, y1: MARKS_HEIGHT, y2: bottom + 4, class: 'tick' });
    yield svg('text', { x: x + 3, y: bottom + 13, class: 'axis' }, tickLabel(ms, step));
  }
}

const round2 = (px: number): number => Math.round(px * 100) / 100;
