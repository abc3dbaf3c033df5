import { diffRows } from './block-rows.js';
import { composerRows } from './composer-rows.js';
import type { Line } from './line-editor.js';
import { plainLine, spelledText } from './plain-text.js';
import { type Color, cutRow, row, type Row, type Span, widthOfRow, wrap, wrapText } from './rows.js';
import type { Question } from './screen-model.js';
import { shortPath } from './status-rows.js';

/** Choosing, or writing why not. */
export type DialogMode = { readonly type: 'choose' } | { readonly type: 'reason'; readonly line: Line };

export interface DialogView {
  readonly question: Question;
  readonly mode: DialogMode;
  readonly columns: number;
  readonly limit: number;
  /** Questions that wait behind this one. */
  readonly waiting: number;
  /** Whether keys are answers yet: who is in the middle of a word does not mean them so. */
  readonly isReady: boolean;
}

const CLASSES: Readonly<Record<Question['class'], { color: Color; name: string }>> = {
  safe: { color: 'green', name: 'safe' },
  ask: { color: 'yellow', name: 'ask' },
  danger: { color: 'red', name: 'danger' },
  forbidden: { color: 'red', name: 'forbidden' },
};

/** What is asked: what would run, how it is judged and why, what each answer means. Nothing of it is hidden, see `isShownWhole`. */
export function dialogRows(view: DialogView): Row[] {
  const { columns, limit } = view;
  const { title, subject, below, bar, room } = partsOf(view);
  const isCut = subject.length > room;
  const cut: Row = [...bar, { text: '… the whole of it stands above', dim: true }];
  const shown = isCut ? [...subject.slice(0, room - 1), cut] : subject;
  return [title, ...shown, ...below].map((spans) => cutRow(spans, columns)).slice(0, limit);
}

/** Whether the dialog has room for all that would run. If not, it has to be printed first. */
export function isShownWhole(view: DialogView): boolean {
  const { subject, room } = partsOf(view);
  return subject.length <= room;
}

interface Parts {
  readonly title: Row;
  readonly subject: readonly Row[];
  readonly below: readonly Row[];
  readonly bar: Row;
  readonly room: number;
}

function partsOf(view: DialogView): Parts {
  const { question, columns, limit } = view;
  const { color } = CLASSES[question.class];
  const bar: Row = [{ text: '┃ ', color }];
  const below = [...factRows(view, bar), ...answerRows(view, bar)];
  const room = Math.max(1, limit - below.length - 1);
  return { title: titleRow(view, color), subject: subjectRows(question, columns, bar), below, bar, room };
}

/** What would run, in full. It is printed above the dialog if the dialog has no room for it. */
export function subjectRows(
  { command, diff, arguments: args, tool_name: name }: Question,
  columns: number,
  first: Row,
): Row[] {
  if (diff !== undefined) {
    const path = typeof args === 'object' && args !== null && 'path' in args ? String(args.path) : '';
    return [
      ...wrapText(spelledText(`${name} ${path}`), columns, { bold: true }, { first }),
      ...diffRows(diff, columns - 2, { limit: 400, show: spelledText }).map((spans) => [...first, ...spans.slice(1)]),
    ];
  }
  const text = command ?? `${name} ${JSON.stringify(args, undefined, 1) ?? ''}`;
  return wrapText(spelledText(text), columns, { bold: true }, { first });
}

function titleRow({ question, waiting }: DialogView, color: Color): Row {
  const asked =
    question.command !== undefined
      ? 'Run this command?'
      : question.diff !== undefined
        ? 'Change this file?'
        : 'Use this tool?';
  const more = waiting === 0 ? '' : `  (${waiting} more ${waiting === 1 ? 'waits' : 'wait'})`;
  return [
    { text: '┏ ', color },
    { text: asked, bold: true, color },
    { text: more, dim: true },
  ];
}

function factRows({ question, columns }: DialogView, first: Row): Row[] {
  const { color, name } = CLASSES[question.class];
  const why: Row = [{ text: name, bold: true, color }, { text: ` · ${plainLine(question.reason)}` }];
  const rule: Row =
    question.rule === undefined
      ? row('no rule can allow this for longer', { dim: true })
      : [{ text: 's and a allow: ', dim: true }, { text: spelledText(question.rule) }];
  return [
    ...wrap(why, columns, { first }).slice(0, 2),
    ...wrap(row(`in ${plainLine(shortPath(question.cwd))}`, { dim: true }), columns, { first }).slice(0, 1),
    ...wrap(rule, columns, { first }).slice(0, 2),
  ];
}

function answerRows({ question, mode, columns, isReady }: DialogView, bar: Row): Row[] {
  const [{ color } = { color: 'yellow' as const }] = bar;
  const end: Row = [{ text: '┗ ', ...(color !== undefined && { color }) }];
  if (mode.type === 'reason') {
    const rows = composerRows({
      line: mode.line,
      columns: columns - 2,
      limit: 1,
      prompt: 'Why not? ',
      placeholder: ' Enter: without a reason',
    });
    return rows.map((spans) => [...end, ...spans]);
  }
  if (!isReady) return [[...end, { text: 'stop typing to answer', dim: true }]];
  const answers = answersTo(question);
  const rows: Row[] = [];
  let current: Span[] = [];
  for (const [key, meaning] of answers) {
    const next: Span[] = [{ text: key, bold: true, inverse: true }, { text: ` ${meaning}  ` }];
    if (current.length > 0 && widthOfRow([...bar, ...current, ...next]) > columns) {
      rows.push([...bar, ...current]);
      current = [];
    }
    current.push(...next);
  }
  return [...rows, [...end, ...current]];
}

function answersTo({ rule }: Question): readonly (readonly [key: string, meaning: string])[] {
  const forLonger = rule === undefined ? [] : [['s', 'session'] as const, ['a', 'always here'] as const];
  return [['y', 'once'], ...forLonger, ['n', 'no'], ['Esc', 'stop']];
}
