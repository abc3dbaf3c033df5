import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newFolders, openCoder, rolloutsIn, scripted, text } from '../support/open-coder.js';

const SIZES = [
  { columns: 80, rows: 24 },
  { columns: 120, rows: 40 },
  { columns: 40, rows: 12 },
] as const;
const ESC = '\u001B';
const SHIFT_TAB = `${ESC}[Z`;

const textsOf = (request: { readonly input: readonly unknown[] } | undefined): string => JSON.stringify(request?.input);

describe.each(SIZES)('what is typed in a terminal of $columns × $rows', (size) => {
  it('! runs a command, shows it like one of the model, and the model reads it with the next message', async () => {
    await using server = await scripted(() => text('I see it.'));
    using coder = await openCoder({ ...size, server });
    await coder.say('!echo $((6 * 7))');
    await coder.terminal.shows('│ 42');
    await coder.terminal.shows(/allowed by you, once: /);
    await coder.idle();
    expect(server.requests).toHaveLength(0);
    await coder.say('!rm -rf .');
    await coder.terminal.shows('not allowed');
    await coder.idle();
    await coder.say('What was it?');
    await coder.terminal.shows('I see it.');
    expect(textsOf(server.requests[0])).toContain(String.raw`exit code 0\n42`);
    expect(coder.terminal.clears).toBe(0);
  });

  it('Shift-Tab goes through the modes, and the next call is judged by what the status line shows', async () => {
    await using server = await scripted((index) =>
      index === 0
        ? { output: [{ type: 'call', name: 'write', arguments: { path: 'a.txt', content: 'x' } }] }
        : text('Over.'),
    );
    using coder = await openCoder({ ...size, server });
    const { terminal } = coder;
    const status = (): string => terminal.screen.filter((line) => line !== '').at(-1) ?? '';
    for (const [hint, mode] of [
      ['approval unless_trusted', 'unless_trusted'],
      ['plan mode', 'plan'],
      ['approval on_request', 'on_request'],
      ['approval unless_trusted', 'unless_trusted'],
    ] as const) {
      terminal.write(SHIFT_TAB);
      await terminal.until(() => status().startsWith(` ${hint}`));
      await terminal.until(() => !status().startsWith(` ${hint}`) && status().includes(mode));
    }
    await coder.say('go');
    await terminal.shows((screen) => screen.includes('Esc cancel'));
    expect(rolloutsIn(coder.folders.home)).toHaveLength(1);
  });

  it('? lists the keys, Ctrl-R finds what was said, Esc gives back what was being written', async () => {
    using coder = await openCoder(size);
    const { terminal } = coder;
    await coder.say('first about ducks');
    await terminal.shows(/you said\s+"first/);
    await coder.idle();
    await coder.say('second thing');
    await terminal.shows(/you said\s+"second/);
    await coder.idle();
    terminal.write('?');
    await terminal.shows('Shift-Tab');
    await coder.idle();
    terminal.write('draft\u0012duc');
    await terminal.shows((screen) => screen.includes('search › duc') && screen.includes('▸ first about ducks'));
    terminal.write(ESC);
    await terminal.shows((screen) => screen.includes('› draft') && !screen.includes('search ›'));
    terminal.write('\u0012duc');
    await terminal.shows((screen) => screen.includes('▸ first about ducks'));
    terminal.write('\r');
    await terminal.shows((screen) => screen.includes('─\n› first about ducks') && !screen.includes('▸'));
    expect(terminal.clears).toBe(0);
  });

  it.each([
    ['Ctrl-G', '\u0007'],
    ['Ctrl-X Ctrl-E', '\u0018\u0005'],
  ])('%s opens the message in the editor of the person, and what they saved is in the input', async (_name, keys) => {
    const folders = newFolders();
    const editor = join(folders.home, '..', 'editor.sh');
    writeFileSync(editor, `#!/bin/sh\ncp "$2" '${editor}.seen'\nprintf 'edited\\nmessage\\n' > "$2"\n`);
    chmodSync(editor, 0o755);
    await using server = await scripted(() => text('Got it.'));
    using coder = await openCoder({ ...size, folders, server, env: { VISUAL: `${editor} -w` } });
    coder.terminal.write('draft');
    await coder.terminal.shows((screen) => screen.includes('› draft'));
    coder.terminal.write(keys);
    await coder.terminal.shows((screen) => /› edited\n +message/.test(screen));
    expect(readFileSync(`${editor}.seen`, 'utf8')).toBe('draft');
    coder.terminal.write('\r');
    await coder.terminal.shows('Got it.');
    await coder.idle();
    expect(textsOf(server.requests[0])).toContain(String.raw`edited\nmessage`);
  });

  it('Ctrl-G tells what to set if there is no editor', async () => {
    using coder = await openCoder(size);
    coder.terminal.write('draft\u0007');
    await coder.terminal.shows('Set VISUAL or EDITOR');
    await coder.terminal.shows((screen) => screen.includes('› draft'));
  });
});

describe.each(SIZES)('going back in a terminal of $columns × $rows', (size) => {
  it('lists the messages by Esc Esc, asks about the files, and goes on as another session', async () => {
    await using server = await scripted((index) =>
      index === 1
        ? { output: [{ type: 'call', name: 'write', arguments: { path: 'a.txt', content: 'x' } }] }
        : text(`Answer ${index}.`),
    );
    using coder = await openCoder({ ...size, server });
    const { terminal, folders } = coder;
    await coder.say('first message');
    await terminal.shows('Answer 0.');
    await coder.idle();
    await coder.say('second message');
    await terminal.shows('Answer 2.');
    await coder.idle();
    expect(readFileSync(join(folders.workspace, 'a.txt'), 'utf8')).toBe('x');
    terminal.write(ESC);
    await terminal.shows((screen) => screen.includes('Esc again'));
    terminal.write(ESC);
    await terminal.shows((screen) => /▸ 2 +second message/.test(screen) && !screen.includes('Esc again'));
    terminal.write('\r');
    await terminal.shows((screen) => screen.includes('2 restore') && !screen.includes('▸'));
    terminal.write(`${ESC}[B${ESC}[B`);
    await terminal.shows((screen) => screen.includes('▸ 2 restore'));
    terminal.write('\r');
    await terminal.shows('continued');
    await terminal.shows((screen) => screen.includes('─\n› second message'));
    expect(() => readFileSync(join(folders.workspace, 'a.txt'))).toThrow();
    expect(rolloutsIn(folders.home)).toHaveLength(2);
    terminal.write('\u0017other\r');
    await terminal.shows('Answer 3.');
    const input = textsOf(server.requests[3]);
    expect(input).toContain('first message');
    expect(input).toContain('second other');
    expect(input).not.toContain('second message');
    expect(terminal.clears).toBe(0);
  });
});
