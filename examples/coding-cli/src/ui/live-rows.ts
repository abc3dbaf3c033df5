import type { Todo } from '../protocol/events.js';
import { todoRows } from './block-rows.js';
import { plainLine, plainText } from './plain-text.js';
import { cutRow, row, type Row, wrapText } from './rows.js';
import type { ScreenModel } from './screen-model.js';
import { shortCount } from './status-rows.js';
import type { RunningTool } from './shown-calls.js';
import { lastRows, seconds } from './tool-rows.js';

const SPINNER = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const SPINNER_MS = 100;
const OUTPUT_ROWS = 4;
const REASONING_ROWS = 3;
const TODO_ROWS = 5;
const TOOLS_SHOWN = 4;
const WAITING_SHOWN = 3;
/** Never more, however high the terminal is. */
const LIVE_LIMIT = 12;

/** What is still changing: the row being written, running tools, the plan; at most so many rows. */
export function liveRows(
  model: ScreenModel,
  { budget, now }: { readonly budget: number; readonly now: number },
): Row[] {
  const { columns, openRows } = model;
  const isAsked = model.calls.questions.length > 0;
  const spinner = SPINNER[Math.floor(now / SPINNER_MS) % SPINNER.length] ?? '';
  const sections: Row[][] = [
    openRows,
    thoughtRows(model),
    // What waits for an answer does not run yet.
    isAsked ? [] : runningRows([...model.calls.running.values()], { spinner, now, columns }),
    todoWindow(model.todos, columns),
    waitingRows([...model.waiting.values()], columns),
  ];
  if (model.busySince !== undefined && !isAsked) sections.push([workingRow(model, spinner, now - model.busySince)]);
  const limit = Math.min(budget, LIVE_LIMIT);
  const shown = sections.filter((section) => section.length > 0);
  const rows = shown.flat();
  // Apart from each other and from what is printed above, if there is room for it.
  const apart = shown.flatMap((section) => (section === openRows ? section : [row(''), ...section]));
  return limit <= 0 ? [] : (apart.length <= limit ? apart : rows).slice(-limit);
}

/** What was said meanwhile; the newest can be taken back. */
function waitingRows(texts: readonly string[], columns: number): Row[] {
  return texts.slice(-WAITING_SHOWN).map((text, index, shown) => {
    const isNewest = index === shown.length - 1;
    const spans: Row = [{ text: `  next: ${plainLine(text)}`, dim: true }];
    return cutRow(isNewest ? [...spans, { text: '  ↑ edits it', dim: true }] : spans, columns);
  });
}

function workingRow({ spent, columns }: ScreenModel, spinner: string, ms: number): Row {
  const since = ms < 1000 ? '' : ` ${seconds(Math.floor(ms / 1000) * 1000).replace('.0', '')}`;
  const tokens =
    spent === undefined
      ? ''
      : ` · ${shortCount(spent.round)} tokens in the last round, ${shortCount(spent.turn)} in this turn`;
  return cutRow(
    [
      { text: `${spinner} `, color: 'cyan' },
      { text: `working${since} · Esc interrupts${tokens}`, dim: true },
    ],
    columns,
  );
}

function thoughtRows({ reasoning, columns }: ScreenModel): Row[] {
  if (reasoning === '') return [];
  const rows = wrapText(
    plainText(reasoning).trim(),
    columns,
    { dim: true, italic: true },
    { first: row('∴ ', { dim: true }), others: row('  ') },
  );
  return rows.slice(-REASONING_ROWS);
}

function runningRows(
  tools: readonly RunningTool[],
  { spinner, now, columns }: { readonly spinner: string; readonly now: number; readonly columns: number },
): Row[] {
  return tools.slice(-TOOLS_SHOWN).flatMap((tool) => {
    const ms = now - tool.startedAt;
    const facts = [tool.progress, ms < 1000 ? undefined : seconds(Math.floor(ms / 1000) * 1000).replace('.0', '')];
    const note = facts
      .filter((fact) => fact !== undefined)
      .map((fact) => ` · ${plainLine(fact)}`)
      .join('');
    const head = cutRow(
      [{ text: `${spinner} `, color: 'cyan' }, { text: plainLine(tool.title) }, { text: note, dim: true }],
      columns,
    );
    const output = tools.length === 1 ? lastRows(tool.output, OUTPUT_ROWS, columns) : [];
    return [head, ...output];
  });
}

/** Around what is being done. */
function todoWindow(todos: readonly Todo[], columns: number): Row[] {
  const current = todos.findIndex(({ status }) => status !== 'completed');
  const start = Math.max(0, Math.min(current - 1, todos.length - TODO_ROWS));
  return todoRows(todos.slice(start, start + TODO_ROWS), columns);
}
