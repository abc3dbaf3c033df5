import { FLOOR, OPEN_RESPONSES, OPENAI_SDK, OURS, STOCK } from './support/names.mjs';
import { holds } from './support/row.mjs';

const COLUMNS = [OURS, FLOOR, OPEN_RESPONSES, STOCK, OPENAI_SDK];

/** One table for all rows; a row with several targets takes as many lines. */
export function printTable(rows) {
  const head = ['measure', 'unit', ...COLUMNS, 'result', 'target', ''];
  const lines = [head, head.map(() => '---'), ...rows.flatMap(linesOf)];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function linesOf({ measure, unit, medians, checks }) {
  const facts = [measure, unit, ...COLUMNS.map((name) => figure(medians[name]))];
  const [first, ...others] = checks;
  if (first === undefined) return [[...facts, '', '', '']];
  return [[...facts, ...verdict(first)], ...others.map((check) => [...facts.map(() => ''), ...verdict(check)])];
}

function verdict(check) {
  const { value, limit, against, atLeast } = check;
  return [`${figure(value)} ${against}`, `${atLeast ? '≥' : '≤'} ${limit}`, holds(check) ? 'ok' : 'MISS'];
}

function figure(value) {
  if (value === undefined) return '';
  return value >= 100 ? value.toFixed(0) : value.toFixed(value >= 10 ? 1 : 2);
}
