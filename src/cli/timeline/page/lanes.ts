import type { CallView } from '../model.js';
import { svg } from './dom.js';
import { duration, niceStep } from './format.js';

const ROUND_HEIGHT = 18;
const MARKS_HEIGHT = 12;
const AXIS_HEIGHT = 18;
const GAP = 2;
/** What many lanes have together. */
const LANES_HEIGHT = 150;
const MIN_BAR = 1.5;
const TICK_PX = 110;

export interface Window {
  /** Pixels for a millisecond. */
  readonly scale: number;
  /** What is visible, in pixels from the beginning of the call. */
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

/** Draws what is visible, and of bars that share their pixels one. */
export function drawLanes(call: CallView, key: string, window: Window, selected?: string): SVGElement[] {
  const drawn: SVGElement[] = [...axis(call, window)];
  const ends = new Map<number, number>();
  for (const bar of barsOf(call, key, window)) {
    const isSelected = bar.key === selected;
    const isCovered = bar.x + bar.width <= (ends.get(bar.y) ?? -1);
    if (!isSelected && (isCovered || bar.x > window.to || bar.x + bar.width < window.from)) continue;
    ends.set(bar.y, Math.max(ends.get(bar.y) ?? -1, bar.x + bar.width));
    drawn.push(...shapesOf(bar, isSelected));
  }
  return drawn;
}

function* barsOf(call: CallView, key: string, { scale }: Window): Generator<Bar> {
  for (const [at, { round, from, ms, firstMs, finish }] of call.rounds.entries()) {
    const bar = { key: `${key}r${at}`, y: MARKS_HEIGHT, height: ROUND_HEIGHT - GAP };
    const title = `Round ${round + 1}: ${duration(ms)}${firstMs === undefined ? '' : `, first part after ${duration(firstMs)}`}`;
    const kind = finish === 'error' ? 'round failed' : 'round';
    const width = Math.max(MIN_BAR, ms * scale - 1);
    yield { ...bar, x: from * scale, width, kind, text: String(round + 1), title };
    if (firstMs !== undefined && width > 6)
      yield {
        ...bar,
        x: (from + firstMs) * scale,
        y: MARKS_HEIGHT + 0.1,
        width: MIN_BAR,
        kind: 'first',
        text: '',
        title,
      };
  }
  const height = laneHeight(call.lanes);
  for (const [at, tool] of call.tools.entries()) {
    const { from, ms, lane, name, state, waitMs = 0 } = tool;
    const y = MARKS_HEIGHT + ROUND_HEIGHT + GAP + lane * height;
    const bar = { key: `${key}#${at}`, y, height: height - (height > 4 ? GAP : 1) };
    const title = `${name}: ${state}, ${duration(ms)}${waitMs > 0 ? `, waited ${duration(waitMs)} for approval` : ''}`;
    if (waitMs * scale > 1)
      yield { ...bar, x: Math.max(0, from - waitMs) * scale, width: waitMs * scale, kind: 'wait', text: '', title };
    const width = Math.max(MIN_BAR, ms * scale - 1);
    yield { ...bar, x: from * scale, width, kind: `tool ${state}`, text: height > 10 ? name : '', title };
  }
  for (const { from, kind, text, tone } of call.marks)
    if (tone !== 'info')
      yield {
        key: '',
        x: from * scale,
        width: 3,
        y: 0,
        height: MARKS_HEIGHT - 4,
        kind: `mark ${tone}`,
        text: '',
        title: `${kind}: ${text}`,
      };
}

function shapesOf({ key, x, y, width, height, kind, text, title }: Bar, isSelected: boolean): SVGElement[] {
  const rect = svg(
    'rect',
    {
      x,
      y,
      width,
      height,
      rx: Math.min(2, width / 2),
      class: `${kind}${isSelected ? ' selected' : ''}`,
      'data-key': key,
    },
    svg('title', {}, title.slice(0, 500)),
  );
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
    yield svg('text', { x: x + 3, y: bottom + 13, class: 'axis' }, ms === 0 ? '0' : duration(ms));
  }
}
