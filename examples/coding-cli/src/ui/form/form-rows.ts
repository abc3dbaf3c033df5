import { spelledLine } from 'responses-loop-example-shared/call-view.js';
import type { Field } from 'responses-loop-example-shared/form-fields.js';
import { spellText } from 'responses-loop/question';
import { said } from '../call-rows.js';
import { composerRows } from '../composer-rows.js';
import { cutRow, type Row, row, type Span, wrapWhole } from '../rows.js';
import { cutToWidth } from '../text-width.js';
import { ANSWERS, type Asked, type FormState, type Input, optionsOf } from './form-state.js';

export interface FormView {
  readonly form: FormState;
  readonly columns: number;
  readonly limit: number;
  /** Questions that wait behind this one. */
  readonly waiting: number;
  readonly isReady: boolean;
}

const BAR: Row = [{ text: '┃ ', color: 'cyan' }];
const END: Row = [{ text: '┗ ', color: 'cyan' }];
/** Of the question itself; all of it is printed above. */
const MESSAGE_ROWS = 2;

/** All that a server asks, for above the dialog: nothing is cut, and what cannot be seen is spelled. */
export function askedRows({ server, message, url }: Asked, columns: number): Row[] {
  const first: Row = [{ text: '? ', color: 'cyan' }];
  return [
    ...wrapWhole([...said('MCP server '), { text: `${spelledLine(server)} `, bold: true }, ...said('asks:')], columns, {
      first,
    }),
    ...wrapWhole(row(spellText(message)), columns, { first: row('  ') }),
    ...(url === undefined
      ? []
      : wrapWhole([...said('a page to open: '), { text: new URL(url).href }], columns, { first: row('  ') })),
  ];
}

/** The question, its fields with what stands in them, and the answers. */
export function formRows({ form, columns, limit, waiting, isReady }: FormView): Row[] {
  const { asked } = form;
  const more = waiting === 0 ? '' : `(${waiting} more ${waiting === 1 ? 'waits' : 'wait'})`;
  const title: Row = [
    { text: '┏ ', color: 'cyan' },
    ...said('MCP server '),
    { text: `${cutToWidth(spelledLine(asked.server), Math.max(8, columns - 35))} `, bold: true },
    ...said(`asks ${more}`),
  ];
  const whole = wrapWhole(row(spellText(asked.message)), columns, { first: BAR });
  const message = whole.slice(0, limit < 8 ? 1 : MESSAGE_ROWS);
  const page = asked.url === undefined ? [] : [pageRow(asked.url)];
  const end: Row = [...END, ...(isReady ? answers(form) : [{ text: 'wait a moment, without a key', dim: true }])];
  const [fields, focus] = fieldRows(form, columns);
  const room = Math.max(1, limit - 2 - message.length - page.length);
  const start = Math.max(0, Math.min(focus - room + 1, fields.length - room));
  return [title, ...message, ...page, ...fields.slice(start, start + room), end]
    .map((spans) => cutRow(spans, columns))
    .slice(-limit);
}

function pageRow(url: string): Row {
  const { host, href } = new URL(url);
  return [...BAR, ...said('opens '), { text: `${host}  `, bold: true, link: href }, { text: href, dim: true }];
}

/** The rows of all fields, and the last row of the one that keys are for. */
function fieldRows(form: FormState, columns: number): [rows: Row[], focus: number] {
  const rows: Row[] = [];
  let focus = 0;
  for (const [index, field] of form.fields.entries()) {
    const isHere = index === form.at;
    rows.push(...rowsOfField(form, index, columns));
    const problem = form.problems[field.key];
    const { description } = field;
    if (problem !== undefined) rows.push([...BAR, { text: `    ! ${problem}`, color: 'red' }]);
    else if (isHere && description !== undefined)
      rows.push([...BAR, { text: `    ${spelledLine(description)}`, dim: true }]);
    if (isHere) focus = rows.length - 1;
  }
  return [rows, form.at >= form.fields.length ? rows.length - 1 : focus];
}

function rowsOfField({ fields, inputs, at }: FormState, index: number, columns: number): Row[] {
  const [field, input] = [fields[index], inputs[index]];
  if (field === undefined || input === undefined) return [];
  const isHere = index === at;
  const name = cutToWidth(spelledLine(field.title), Math.max(6, Math.floor(columns / 3)));
  const label = `${isHere ? '▸' : ' '} ${name}${field.isRequired ? '*' : ''}: `;
  const options = optionsOf(field);
  if (options.length === 0 && isHere) {
    const view = { line: input.line, columns: columns - 2, limit: 1, prompt: label, placeholder: ` ${hintOf(field)}` };
    return composerRows(view).map((spans) => [...BAR, ...spans]);
  }
  const value = options.length === 0 ? [{ text: spelledLine(input.line.text) }] : optionSpans(field, input, isHere);
  return [[...BAR, { text: label, ...(isHere && { color: 'cyan', bold: true }) }, ...value]];
}

function hintOf(field: Field): string {
  const kind = field.kind === 'number' ? (field.isInteger ? 'a whole number' : 'a number') : 'a text';
  return `${field.kind === 'text' && field.format !== undefined ? field.format : kind}${field.isRequired ? '' : ', or nothing'}`;
}

function optionSpans(field: Field, { chosen, option }: Input, isHere: boolean): Span[] {
  const options = optionsOf(field);
  const titles = options.filter(({ value }) => chosen.includes(value)).map(({ title }) => spelledLine(title));
  const shown = titles.length === 0 ? '–' : titles.join(', ');
  if (!isHere) return [{ text: shown }];
  const place = `  ${option + 1} of ${options.length} · ← →`;
  if (field.kind !== 'choices')
    return [
      { text: `‹ ${shown} ›`, inverse: true },
      { text: place, dim: true },
    ];
  const { value = '', title = '' } = options[option] ?? {};
  const mark = chosen.includes(value) ? '[x]' : '[ ]';
  return [
    { text: `‹ ${mark} ${spelledLine(title)} ›`, inverse: true },
    { text: `${place}, Space · chosen: ${shown}`, dim: true },
  ];
}

function answers({ asked, fields, at }: FormState): Span[] {
  const names = { accept: asked.mode === 'url' ? 'I agree to open it' : 'Send', decline: 'Decline' };
  const spans = ANSWERS.flatMap((answer, index): Span[] => {
    const isHere = at === fields.length + index;
    return [{ text: ` ${names[answer]} `, inverse: isHere, bold: isHere }, { text: '  ' }];
  });
  return [...spans, { text: 'Tab ↑ ↓ Enter · Esc not now', dim: true }];
}
