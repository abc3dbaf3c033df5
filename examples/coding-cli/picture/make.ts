// Draws screen.svg from a real run: the stand-in makes a failing test pass, and asks before it runs it.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { newFolders, openCoder } from '../test/support/open-coder.js';
import { svgOf } from './svg.js';

// Below the home folder, so that no path of this machine is in the picture.
const { workspace: root, home } = newFolders();
const folders = { workspace: join(root, 'calculator'), home };
mkdirSync(folders.workspace);
const FILES = {
  'package.json': '{ "type": "module" }\n',
  'add.js': 'export function add(a, b) {\n  return a - b;\n}\n',
  'add.test.js': [
    "import assert from 'node:assert/strict';",
    "import { test } from 'node:test';",
    "import { add } from './add.js';",
    '',
    "test('adds', () => {",
    '  assert.equal(add(2, 3), 5);',
    '});',
    '',
  ].join('\n'),
};
for (const [name, content] of Object.entries(FILES)) writeFileSync(join(folders.workspace, name), content);

using coder = await openCoder({ folders, env: { HOME: root }, columns: 84, rows: 48 });
await coder.say('make the failing test pass');
await coder.yes();
await coder.terminal.shows('return a + b');
await coder.terminal.shows((screen) => screen.includes('Esc cancel'));
const svg = svgOf(coder.terminal.buffer.active, { columns: 84, rows: 48, label: 'coder in a terminal' }).replaceAll(
  folders.workspace,
  '~/calculator',
);
writeFileSync(fileURLToPath(new URL('screen.svg', import.meta.url)), svg);
console.log(coder.terminal.screen.join('\n'));
coder.terminal.write('y');
await coder.terminal.shows('passes');
process.exit();
