import { DEMO_LABEL } from 'responses-loop-example-shared/model-flags.js';
import type { EventData, Todo } from '../protocol/events.js';
import { shortPath } from './status-rows.js';
import { plainLine, plainText } from './plain-text.js';
import { type Color, cutRow, type Look, row, type Row, wrap, wrapText } from './rows.js';

/** Blocks of one kind stand together; between others is an empty row. */
export type BlockKind = 'banner' | 'user' | 'text' | 'reasoning' | 'tool' | 'todo' | 'notice';

export function userRows(text: string, columns: number): Row[] {
  return wrapText(
    plainText(text.trimEnd()),
    columns,
    { bold: true },
    { first: [{ text: '› ', color: 'cyan' }], others: row('  ') },
  );
}

const LEVELS: Readonly<Record<'info' | 'warning' | 'error', { mark: string; color: Color }>> = {
  info: { mark: 'ℹ', color: 'blue' },
  warning: { mark: '!', color: 'yellow' },
  error: { mark: '✗', color: 'red' },
};

export function noticeRows(level: 'info' | 'warning' | 'error', text: string, columns: number): Row[] {
  const { mark, color } = LEVELS[level];
  const look: Look = level === 'info' ? {} : { color };
  return wrapText(plainText(text.trimEnd()), columns, look, {
    first: [{ text: `${mark} `, color }],
    others: row('  '),
  });
}

/** Thoughts are seen while they come; what stays is how they begin. */
export function reasoningRow(text: string, columns: number): Row[] {
  const line = plainLine(text).replace(/[*`]{1,2}/g, '');
  return line === ''
    ? []
    : [
        cutRow(
          [
            { text: '∴ ', dim: true },
            { text: line, dim: true, italic: true },
          ],
          columns,
        ),
      ];
}

const TODO_LOOKS: Readonly<Record<Todo['status'], { mark: string; look: Look }>> = {
  completed: { mark: '☑', look: { dim: true } },
  in_progress: { mark: '▸', look: { bold: true } },
  pending: { mark: '☐', look: {} },
};

export function todoRows(todos: readonly Todo[], columns: number): Row[] {
  return todos.map(({ content, status }) => {
    const { mark, look } = TODO_LOOKS[status];
    return cutRow(
      [
        { text: `  ${mark} `, ...look },
        { text: plainLine(content), ...look },
      ],
      columns,
    );
  });
}

const DEMO_HINT = 'try: which files are here? · make a plan · make the failing test pass';

export function bannerRows(
  { provider, cwd, approval, sandbox, isolation, session_id: id, resumed }: EventData<'session_configured'>,
  columns: number,
): Row[] {
  const bar: Row = [{ text: '▍ ', color: 'magenta' }];
  const lines: Row[] = [
    [
      { text: 'coder', bold: true },
      { text: `  ${plainLine(provider)}`, dim: true },
    ],
    row(plainLine(shortPath(cwd))),
    row(`approval ${approval} · sandbox ${sandbox}`, { dim: true }),
    ...(isolation === 'off' ? [] : [row(`commands: ${plainLine(isolation)}`, { dim: true })]),
    row(`session ${id.slice(0, 8)}${resumed ? ', continued' : ''} · /help lists the commands`, { dim: true }),
    ...(provider === DEMO_LABEL && !resumed ? [row(DEMO_HINT, { dim: true })] : []),
  ];
  return lines.flatMap((line) => wrap(line, columns, { first: bar }));
}
