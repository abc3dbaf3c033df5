import { countsOf, spelledHunks, spelledLine } from 'responses-loop-example-shared/call-view.js';
import { viewOfCall } from '../tools/own-views.js';
import { callRows, said } from './call-rows.js';
import { composerRows } from './composer-rows.js';
import type { Line } from './line-editor.js';
import { type Color, cutRow, type Row, type Span, widthOfRow, wrapWhole } from './rows.js';
import { planOf, type Question } from './shown-calls.js';
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

/** What is asked: what would run, how it is judged and why, what each answer means. */
export function dialogRows(view: DialogView): Row[] {
  const { question, columns, limit } = view;
  const bar = barOf(question);
  const [title, answers] = [titleRow(view, bar), answerRows(view, bar)];
  const whole = questionRows(question, columns, bar);
  const room = roomOf(view, answers);
  return [title, ...(whole.length <= room ? whole : foldedRows(view, room)), ...answers]
    .map((spans) => cutRow(spans, columns))
    .slice(-limit);
}

/**
 * Whether the dialog has room for all that a person answers to, also with the answers below it, which come later. If not, it
 * has to be printed above first.
 */
export function hasRoom(view: DialogView): boolean {
  const bar = barOf(view.question);
  const answers = answerRows({ ...view, mode: { type: 'choose' }, isReady: true }, bar);
  return questionRows(view.question, view.columns, bar).length <= roomOf(view, answers);
}

/** All that a person answers to: what would run, and what the program says about it. */
export function questionRows(question: Question, columns: number, first: Row): Row[] {
  const call = callRows(viewOfCall(question), { columns, first });
  return [...call, ...factsOf(question).flatMap((fact) => wrapWhole(fact, columns, { first }))];
}

/** A row for the title, and what the answers take. */
function roomOf({ limit }: DialogView, answers: readonly Row[]): number {
  return Math.max(2, limit - answers.length - 1);
}

/** The beginning of each: all of it is printed above. */
function foldedRows({ question, columns }: DialogView, room: number): Row[] {
  const bar = barOf(question);
  const facts = factsOf(question).map((fact) => cutRow([...bar, ...fact], columns));
  const mark: Row = [...bar, ...said('… printed in full above')];
  const call = callRows(viewOfCall(question), { columns, first: bar });
  return [...call.slice(0, Math.max(0, room - facts.length - 1)), mark, ...facts].slice(0, room);
}

function barOf(question: Question): Row {
  return [{ text: '┃ ', color: CLASSES[question.class].color }];
}

function titleRow({ question, waiting }: DialogView, [bar]: Row): Row {
  const look = bar?.color === undefined ? {} : { color: bar.color };
  const asked = isPlan(question)
    ? 'Work by this plan?'
    : question.command !== undefined
      ? 'Run this command?'
      : question.diff !== undefined
        ? (question.files?.length ?? 1) > 1
          ? 'Change these files?'
          : 'Change this file?'
        : 'Use this tool?';
  const more = waiting === 0 ? '' : `  (${waiting} more ${waiting === 1 ? 'waits' : 'wait'})`;
  return [
    { text: '┏ ', ...look },
    { text: asked, bold: true, ...look },
    { text: question.hunks === undefined ? '' : `  ${countsOf(spelledHunks(question.hunks))}`, dim: true },
    { text: more, dim: true },
  ];
}

function isPlan(question: Question): boolean {
  return planOf(question) !== undefined;
}

/** What the program says about the call, a row each if there is room. */
function factsOf(question: Question): Row[] {
  const { class: kind, reason, cwd, rule } = question;
  const { color, name } = CLASSES[kind];
  return [
    [...said(''), { text: name, bold: true, color }, { text: ` · ${spelledLine(reason)}` }],
    said(`in ${spelledLine(shortPath(cwd))}`),
    isPlan(question)
      ? said('n rejects it: say what should be different')
      : rule === undefined
        ? said('no rule can allow this for longer')
        : [...said('s/a will allow: '), { text: spelledLine(rule) }],
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
  if (!isReady) return [[...end, { text: 'wait a moment, without a key, to answer', dim: true }]];
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

function answersTo(question: Question): readonly (readonly [key: string, meaning: string])[] {
  const { rule } = question;
  const forLonger = rule === undefined ? [] : [['s', 'this session'] as const, ['a', 'always in this folder'] as const];
  const change = isPlan(question) ? [['e', 'edit the plan'] as const] : [];
  return [['y', 'allow once'], ...forLonger, ...change, ['n', 'deny'], ['Esc', 'cancel']];
}
