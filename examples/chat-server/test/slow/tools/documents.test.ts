import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readFileTool } from '../../../src/tools/read-file.js';
import { excelCell, excelParts, pack, xlsx } from '../../support/documents.js';
import { makeWorkspace } from '../../support/workspace.js';

describe('a workbook with a cell at the far end of a sheet', () => {
  it('ends alone, and the next one is read', { timeout: 60_000 }, async () => {
    const at = makeWorkspace({});
    const read = (path: string) =>
      readFileTool(at).execute({ path }, { toolCallId: 'call_1', signal: new AbortController().signal });
    writeFileSync(join(at.root, 'far.xlsx'), pack(excelParts(`<row r="1048576">${excelCell('XFD1048576', 1)}</row>`)));
    writeFileSync(join(at.root, 'a.xlsx'), xlsx('Duck'));
    await expect(read('far.xlsx')).rejects.toThrow(/needs more than 512 MB|took longer/);
    expect(await read('a.xlsx')).toMatchObject({ ok: true, content: '# Sheet: Ducks\n\nDuck,3.5' });
  });

  it('ends alone also if its reference hides how far it is', { timeout: 60_000 }, async () => {
    const at = makeWorkspace({});
    const hidden = excelCell('ZZZZZZZ2', 1).replace('ZZZZZZZ2', '&#90;ZZZZZZ2');
    writeFileSync(join(at.root, 'far.xlsx'), pack(excelParts(`<row r="2">${hidden}</row>`)));
    const reading = readFileTool(at).execute(
      { path: 'far.xlsx' },
      { toolCallId: 'call_1', signal: new AbortController().signal },
    );
    await expect(reading).rejects.toThrow(/needs more than 512 MB|took longer|is broken/);
  });
});
