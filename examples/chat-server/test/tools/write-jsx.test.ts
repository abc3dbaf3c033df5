import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkJsx } from '../../src/jsx/check-jsx.js';
import { COMPONENTS } from '../../src/jsx/components.js';
import { writeJsxTool } from '../../src/tools/write-jsx.js';
import { makeWorkspace } from '../support/workspace.js';

const DUCKS = `export default (
  <View>
    <Card title="Ducks &amp; eggs">
      <Stat label="Eggs" value={3} note={'a day'} />
      <List isOrdered><Item>Ada</Item><Item>{"Bea"}{/* a remark */}</Item></List>
    </Card>
    <Table caption="All">
      <Head><Cell>duck</Cell><Cell>eggs</Cell></Head>
      <Row><Cell>Ada</Cell><Cell>{3}</Cell></Row>
    </Table>
    <Text>
      Two lines
      of a text
    </Text>
  </View>
);
`;

const inView = (text: string): string => `<View>\n  ${text}\n</View>`;

describe('a file of JSX', () => {
  it('becomes what jsonRender shows', () => {
    expect(checkJsx(DUCKS)).toEqual([
      {
        type: 'card',
        title: 'Ducks & eggs',
        children: [
          { type: 'stat', label: 'Eggs', value: 3, note: 'a day' },
          { type: 'list', isOrdered: true, items: ['Ada', 'Bea'] },
        ],
      },
      { type: 'table', caption: 'All', columns: ['duck', 'eggs'], rows: [['Ada', '3']] },
      { type: 'text', text: 'Two lines of a text' },
    ]);
  });

  it.each([
    ['a script', '<script>alert(1)</script>', 'Line 2, column 3: <script> is unknown: there are View, Card'],
    ['HTML', '<div/>', '<div> is unknown'],
    ['a component of an object', '<a.b/>', '<> is unknown'],
    ['a name of every object', '<constructor/>', '<constructor> is unknown'],
    [
      'a handler',
      '<Stat label="a" value="b" onClick="x"/>',
      'Line 2, column 29: <Stat> has no attribute onClick: it takes label, value, note.',
    ],
    ['HTML of its own', '<Text dangerouslySetInnerHTML="x"/>', 'no attribute dangerouslySetInnerHTML: it takes none'],
    ['a call', '<Text>{alert(1)}</Text>', 'Line 2, column 9: Only a literal is allowed in {}'],
    ['a name', '<Text>{name}</Text>', 'Only a literal'],
    ['a template', '<Text>{`a`}</Text>', 'Only a literal'],
    ['a regular expression', '<Text>{/a/}</Text>', 'Only a literal'],
    ['a large integer', '<Stat label="a" value={1n}/>', 'Only a literal'],
    ['an element as a value', '<Stat label="a" value=<Text>x</Text>/>', 'must be a string or number'],
    ['a spread attribute', '<Card {...a}/>', 'Write each attribute out: {...} is not taken.'],
    ['a spread child', '<Text>{...a}</Text>', 'Line 2, column 10: Unexpected token'],
    ['a fragment', '<><Text>x</Text></>', 'Only elements and texts'],
    [
      'a card in a card',
      '<Card title="a"><Card title="b"/></Card>',
      '<Card> cannot be inside <Card>, which contains Text, List, Stat, Table.',
    ],
    ['text in between', 'words', '<View> cannot contain text: put it into <Text>.'],
    ['a missing attribute', '<Card><Text>x</Text></Card>', 'Line 2, column 3: <Card> needs the attribute title.'],
    ['an attribute that stands twice', '<Card title="a" title="b"/>', 'title is there twice'],
    ['a value of another type', '<Card title={3}/>', 'title must be a string'],
    [
      'a row that does not fit',
      '<Table><Head><Cell>a</Cell></Head><Row/></Table>',
      'Line 2, column 3: each row needs as many cells',
    ],
    [
      'an element that is open',
      '<Card title="a">',
      'Expected corresponding JSX closing tag for <Card>. Close every element',
    ],
  ])('is refused with its place: %s', (_name, text, message) => {
    expect(() => checkJsx(inView(text))).toThrow(message);
  });

  it.each([
    ['code beside it', 'import fs from "fs";\n<View/>', 'Line 2, column 1: A file contains one element'],
    ['code alone', 'alert(1)', 'Line 1, column 1: The file must be one <View>'],
    ['a function', 'export default () => <View><Text>x</Text></View>', 'code is not taken'],
    ['nothing', '', 'The file must be one <View>'],
    ['another element', '<Text>x</Text>', 'The file must be one <View>, and this is <Text>.'],
    ['an endless depth', '<View>'.repeat(30_000), 'Line 1, column'],
  ])('is refused as a whole: %s', (_name, source, message) => {
    expect(() => checkJsx(source)).toThrow(message);
  });

  it('has nothing in it that the list does not have, whatever is put into it', () => {
    const name = fc.oneof(
      fc.constantFrom(...Object.keys(COMPONENTS), 'script', 'iframe', 'a', 'img'),
      fc.stringMatching(/^[A-Za-z]{1,8}$/),
    );
    const attribute = fc.tuple(
      fc.constantFrom('title', 'label', 'value', 'onClick', 'href', 'style'),
      fc.constantFrom('"x"', '{1}', '{x}', '{{a:1}}'),
    );
    fc.assert(
      fc.property(name, attribute, fc.constantFrom('', 'text', '{x}', '<Text>x</Text>'), (tag, [key, value], inner) => {
        const shown = attempt(inView(`<${tag} ${key}=${value}>${inner}</${tag}>`));
        expect(shown).not.toMatch(/script|iframe|onClick|href|style/);
      }),
    );
  });
});

function attempt(source: string): string {
  try {
    return JSON.stringify(checkJsx(source));
  } catch (error) {
    expect(String(error)).toMatch(/^Error: Line \d+, column \d+: /);
    return '';
  }
}

describe('writeJsx', () => {
  const run = { toolCallId: 'c', signal: new AbortController().signal };

  it('writes the file and gives what is shown', async () => {
    const files = makeWorkspace();
    const output = await writeJsxTool(files).execute({ path: 'a/ducks.jsx', content: DUCKS }, run);
    expect(output).toMatchObject({
      ok: true,
      path: 'a/ducks.jsx',
      view: [{ type: 'card' }, { type: 'table' }, { type: 'text' }],
    });
    expect(readFileSync(join(files.root, 'a/ducks.jsx'), 'utf8')).toBe(DUCKS);
  });

  it('keeps a file that is wrong, so that it can be mended, and shows nothing of it', async () => {
    const files = makeWorkspace();
    const content = inView('<Text onClick="x">Hi</Text>');
    const output = await writeJsxTool(files).execute({ path: 'a.jsx', content }, run);
    expect(output).toMatchObject({ ok: false, line: 2, column: 9, path: 'a.jsx' });
    expect(output).not.toHaveProperty('view');
    expect(readFileSync(join(files.root, 'a.jsx'), 'utf8')).toBe(content);
  });

  it('asks a person, and refuses what it cannot write', async () => {
    const files = makeWorkspace();
    const judge = (path: string) => writeJsxTool(files).judge?.({ path, content: '<View/>' });
    expect(await judge('a.jsx')).toMatchObject({ decision: 'ask', grant: { kind: 'tool', tool: 'writeJsx' } });
    for (const path of ['a.js', 'jsx', '../a.jsx', '.git/a.jsx', '.chat-server/a.jsx']) {
      expect(await judge(path), path).toMatchObject({ decision: 'refuse' });
    }
    expect(existsSync(join(files.root, 'a.jsx'))).toBe(false);
  });
});
