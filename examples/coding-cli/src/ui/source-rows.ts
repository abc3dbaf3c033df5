import { spelledLine } from 'responses-loop-example-shared/call-view.js';
import { linesOfSources, type WebSource } from '../web-search/sources.js';
import { said } from './call-rows.js';
import { row, type Row, wrapWhole } from './rows.js';

/** Web pages below an answer, each address whole. */
export function sourceRows(sources: readonly WebSource[], columns: number): Row[] {
  const [head = '', ...lines] = linesOfSources(sources);
  const indent = { first: row('  '), others: row('  ') };
  return [
    ...wrapWhole(said(head), columns),
    ...lines.flatMap((line) => wrapWhole(row(spelledLine(line), { dim: true }), columns, indent)),
  ];
}
