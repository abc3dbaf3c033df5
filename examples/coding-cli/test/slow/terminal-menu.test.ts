import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newFolders, openCoder, scripted, text } from '../support/open-coder.js';

const SIZES = [
  { columns: 80, rows: 24 },
  { columns: 120, rows: 40 },
  { columns: 40, rows: 12 },
] as const;
const ESC = '\u001B';
const DOWN = `${ESC}[B`;
const UP = `${ESC}[A`;

describe.each(SIZES)('the list above the input in a terminal of $columns × $rows', (size) => {
  it('scrolls through the commands, and Esc closes it', async () => {
    using coder = await openCoder(size);
    const { terminal } = coder;
    terminal.write('/');
    await terminal.shows((screen) => /▸ \/help/.test(screen) && /1 of \d+ · ↑ ↓/.test(screen));
    terminal.write(DOWN);
    await terminal.shows((screen) => /▸ \/status/.test(screen));
    terminal.write(UP + UP);
    await terminal.shows((screen) => /▸ \/quit/.test(screen));
    terminal.write(ESC);
    await terminal.shows((screen) => !screen.includes('▸') && screen.includes('› /'));
    expect(terminal.clears).toBe(0);
  });

  it('answers /theme: colors are those of the terminal', async () => {
    using coder = await openCoder(size);
    await coder.say('/theme');
    await coder.terminal.shows((screen) => /those of\s+your terminal/.test(screen));
    await coder.terminal.shows((screen) => screen.includes('NO_COLOR'));
  });

  it('completes files behind an @, without those that are ignored', async () => {
    const folders = newFolders();
    mkdirSync(join(folders.workspace, 'src'));
    writeFileSync(join(folders.workspace, 'src/add-numbers.js'), '');
    writeFileSync(join(folders.workspace, 'add-secret.log'), '');
    writeFileSync(join(folders.workspace, '.gitignore'), '*.log\n');
    using coder = await openCoder({ ...size, folders });
    const { terminal } = coder;
    terminal.write('read @addn');
    await terminal.shows((screen) => screen.includes('▸ src/add-numbers.js'));
    terminal.write('\r');
    await terminal.shows((screen) => screen.includes('› read src/add-numbers.js') && !screen.includes('▸'));
    expect(terminal.text).not.toContain('add-secret');
    writeFileSync(join(folders.workspace, 'src/late-add.js'), '');
    terminal.write('and @late');
    await terminal.shows((screen) => screen.includes('▸ src/late-add.js'));
  });

  it('removes no rule that was not chosen', async () => {
    using coder = await openCoder({ ...size, args: ['--allow', 'bash: touch *', '--allow', 'bash: mkdir *'] });
    const { terminal } = coder;
    terminal.write('/permissions ');
    await terminal.shows((screen) => screen.includes('remove bash: mkdir *') && !screen.includes('▸'));
    terminal.write('\r');
    await terminal.shows('settings');
    await coder.idle();
    expect(terminal.text).not.toContain('Removed');
    terminal.write('/permissions ');
    await terminal.shows((screen) => screen.includes('remove bash: mkdir *'));
    terminal.write(`${DOWN}${DOWN}`);
    await terminal.shows((screen) => screen.includes('▸ remove bash: mkdir *'));
    terminal.write('\r');
    await terminal.shows('Removed: bash: mkdir *');
  });

  it('chooses the session that goes on, and the model', async () => {
    using coder = await openCoder(size);
    const { terminal } = coder;
    await coder.say('My duck is Alfred.');
    await terminal.shows('you said');
    await coder.idle();
    // The session that is open is none to go on with.
    terminal.write('/resume ');
    await terminal.shows((screen) => screen.includes('› /resume'));
    expect(terminal.screen.join('\n')).not.toMatch(/1 turn · My/);
    terminal.write('\u0015');
    await coder.idle();
    await coder.say('/new');
    await terminal.until(() => terminal.count('▍ coder') === 2);
    await coder.idle();
    terminal.write('/resume ');
    await terminal.shows((screen) => /▸ [0-9a-f]{8} +1 turn · My/.test(screen));
    terminal.write('\r');
    await terminal.until(() => terminal.count('› My duck is Alfred.') === 2);
    expect(terminal.text).toContain('continued');
    await coder.idle();
    terminal.write('/model ');
    await terminal.shows((screen) => screen.includes('stand-in') && !screen.includes('▸'));
    const banners = terminal.count('▍ coder');
    terminal.write('\r');
    await terminal.shows(/Switch\s+with \/model NAME/);
    expect(terminal.count('▍ coder')).toBe(banners);
    terminal.write(DOWN);
    await terminal.shows((screen) => screen.includes('▸ stand-in'));
    expect(terminal.clears).toBe(0);
  });
});

it('/model tells that the server lists no models', async () => {
  await using server = await scripted(() => text('Never asked.'));
  using coder = await openCoder({ server });
  coder.terminal.write('/model ');
  await coder.terminal.shows('No list of models from the server');
  coder.terminal.write('other');
  await coder.terminal.shows((screen) => !screen.includes('No list of models'));
});

it('a key between two Esc begins anew: the second one does not list the messages', async () => {
  using coder = await openCoder();
  await coder.say('hello');
  await coder.terminal.shows('you said');
  await coder.idle();
  coder.terminal.write(ESC);
  await coder.terminal.shows('Esc again');
  coder.terminal.write('\u001B[Z');
  await coder.terminal.shows('approval unless_trusted');
  coder.terminal.write(ESC);
  await coder.terminal.shows((screen) => screen.includes('Esc again') || screen.includes('/back'));
  expect(coder.terminal.screen.join('\n')).not.toContain('› /back');
});
