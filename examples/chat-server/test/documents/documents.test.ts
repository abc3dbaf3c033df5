import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { readAttachments } from '../../src/documents/read-attachments.js';
import { DOCUMENT_KINDS, type DocumentKind } from '../../src/documents/document-kinds.js';
import { readFileTool } from '../../src/tools/read-file.js';
import type { ChatRequest } from '../../src/types.js';
import { docx, excelCell, excelParts, pack, paragraph, wordParts, wordTable, xlsx } from '../support/documents.js';
import { makeWorkspace } from '../support/workspace.js';

const { signal } = new AbortController();

function read(name: string, bytes: Uint8Array, more = {}) {
  const at = makeWorkspace({});
  writeFileSync(join(at.root, name), bytes);
  return readFileTool(at).execute({ path: name, ...more }, { toolCallId: 'call_1', signal });
}

async function attach(name: string, bytes: Uint8Array, kind: DocumentKind = 'docx') {
  const { mediaType } = DOCUMENT_KINDS[kind];
  const url = `data:${mediaType};base64,${Buffer.from(bytes).toString('base64')}`;
  const part = { type: 'file' as const, mediaType, filename: name, url };
  const request = {
    trigger: 'submit-message',
    message: { id: 'u', role: 'user', parts: [part] },
  } as unknown as ChatRequest;
  const taken = await readAttachments(request, signal);
  const [found] = taken.trigger === 'submit-message' ? taken.message.parts : [];
  return found?.type === 'file' ? found : undefined;
}

function textOf(url = ''): string {
  return Buffer.from(url.slice(url.indexOf(',') + 1), 'base64').toString();
}

const TABLE = pack(
  wordParts(
    paragraph('Ducks &amp; geese') +
      wordTable([
        ['Name', 'Weight'],
        ['Mallard', '1.1'],
      ]),
  ),
);
const TWO_ROWS = pack(
  excelParts(
    `<row r="1">${excelCell('A1', 'Name, full')}${excelCell('B1', 'Weight')}</row><row r="3">${excelCell('B3', 1.1)}</row>`,
  ),
);
/** 60 MB of one letter in 60 kB. */
const BOMB = pack(wordParts(paragraph('a'.repeat(60_000_000))));

/** The list of contents names a size that is a lie. */
function lying(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  for (let at = copy.indexOf('PK\u0001\u0002'); at >= 0; at = copy.indexOf('PK\u0001\u0002', at + 4))
    copy.writeUInt32LE(10, at + 24);
  return copy;
}

function farCell(at: string): Buffer {
  return pack(excelParts(`<row r="2">${excelCell(at, 1)}</row>`));
}

const encrypted = Buffer.concat([Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]), Buffer.alloc(600)]);
const BROKEN: readonly (readonly [string, string, Uint8Array, RegExp])[] = [
  ['a text with the name of a document', 'a.docx', Buffer.from('hello'), /a\.docx is no Word document/],
  ['a workbook with the name of a document', 'a.docx', xlsx('x'), /a\.docx is no Word document/],
  ['a document with the name of a workbook', 'a.xlsx', docx('x'), /a\.xlsx is no Excel workbook/],
  ['a ZIP of something else', 'a.docx', zipSync({ 'a.txt': strToU8('x') }), /is no Word document/],
  ['one with a password', 'a.docx', encrypted, /has a password, or the format of Office 2003/],
  ['one that was cut off', 'a.docx', docx('x').subarray(0, 300), /is broken/],
  ['one with broken XML', 'a.docx', pack(wordParts('<w:p><w:r>')), /is broken/],
  ['one whose list of contents lies', 'a.docx', lying(TABLE), /is (broken|no Word document)/],
  ['one that unpacks to 60 MB', 'a.docx', BOMB, /more than 50 MB/],
  [
    'one of 6,000 parts',
    'a.docx',
    pack(Object.fromEntries(Array.from({ length: 6000 }, (_, at) => [`p${at}.xml`, '']))),
    /more than 5000 parts/,
  ],
  [
    'one that declares entities',
    'a.docx',
    pack({ ...wordParts(''), 'word/document.xml': '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>' }),
    /document type/,
  ],
  [
    'a workbook without its sheets',
    'a.xlsx',
    pack({ '[Content_Types].xml': excelParts('')['[Content_Types].xml'] ?? '' }),
    /is broken/,
  ],
  ['one with a cell far outside of Excel', 'a.xlsx', farCell('ZZZZZZZ2'), /a cell ZZZZZZZ2, beyond the last/],
  ['one with a cell one column too far', 'a.xlsx', farCell('XFE1'), /a cell XFE1, beyond the last/],
  ['one with a cell one row too far', 'a.xlsx', farCell('A1048577'), /a cell A1048577, beyond the last/],
];

describe('a document', () => {
  it('is read as Markdown with its tables, by lines', async () => {
    expect(await read('a.docx', TABLE)).toMatchObject({
      ok: true,
      content: 'Ducks & geese\n\n|     |     |\n| --- | --- |\n| Name | Weight |\n| Mallard | 1.1 |',
    });
    expect(await read('A.DOCX', TABLE, { limit: 1 })).toMatchObject({ content: 'Ducks & geese', next: /offset 2/ });
  });

  it('is read as CSV for each sheet of a workbook', async () => {
    const { content } = (await read('a.xlsx', TWO_ROWS)) as unknown as { content: string };
    expect(content).toBe('# Sheet: Ducks\n\n"Name, full",Weight\n,\n,1.1');
  });

  it('is attached as its text under its name', async () => {
    const part = await attach('notes.docx', docx('Grüße'));
    expect(part).toMatchObject({ filename: 'notes.docx', mediaType: 'text/plain' });
    expect(textOf(part?.url)).toBe('Grüße');
    expect(textOf((await attach('b.xlsx', xlsx('Duck'), 'xlsx'))?.url)).toContain('Duck,3.5');
  });

  it('brings nothing of another file along, and no address of a picture', async () => {
    const blip = '<w:p><w:r><w:drawing><a:blip r:link="rId9"/></w:drawing></w:r></w:p>';
    const parts = wordParts(
      blip.replace(
        '<w:p>',
        '<w:p xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships">',
      ),
    );
    const link = `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId9" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/image" Target="file:///etc/hostname" TargetMode="External"/></Relationships>`;
    const found = await read('a.docx', pack({ ...parts, 'word/_rels/document.xml.rels': link }));
    expect(JSON.stringify(found)).not.toMatch(/hostname|base64/);
  });

  it.each(BROKEN)('is refused in words for a person: %s', async (_name, name, bytes, words) => {
    await expect(read(name, bytes)).rejects.toThrow(words);
    const kind = name.endsWith('.docx') ? 'docx' : 'xlsx';
    await expect(attach(name, bytes, kind)).rejects.toMatchObject({
      status: 422,
      code: 'unreadable_file',
      message: expect.stringMatching(words),
    });
  });

  it('is refused if its name and its type are two things', async () => {
    await expect(attach('a.xlsx', docx('x'), 'docx')).rejects.toThrow(/sent as a Word document, but its name/);
  });

  it('is refused as an attachment if a message cannot hold its text', async () => {
    await expect(attach('a.docx', docx('long '.repeat(100_000)))).rejects.toThrow(
      /499,999 characters .* can have 400,000/,
    );
  });
});
