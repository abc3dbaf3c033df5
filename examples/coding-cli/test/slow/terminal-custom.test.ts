import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createScriptedServer, errorReply, type ResponseDescription } from 'responses-loop/testing';
import { describe, expect, it } from 'vitest';
import { newFolders, openCoder, scripted, text } from '../support/open-coder.js';

const SIZES = [
  { columns: 80, rows: 24 },
  { columns: 120, rows: 40 },
  { columns: 40, rows: 12 },
] as const;

function put(root: string, path: string, content: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
}

const calls = (name: string, input: Record<string, string>): ResponseDescription => ({
  output: [{ type: 'call', name, arguments: input }],
});

describe.each(SIZES)('in a terminal of $columns × $rows', (size) => {
  it("a user's own command is listed and sent; one of the workspace is shown and asked about first", async () => {
    await using server = await scripted(() => text('Reviewed.'));
    const folders = newFolders();
    put(folders.home, 'commands/review.md', '---\ndescription: Looks at changes\n---\nReview $ARGUMENTS.');
    put(folders.workspace, '.coder/commands/ship.md', 'Ship it to everybody.');
    using coder = await openCoder({ ...size, folders, server });
    const { terminal } = coder;
    terminal.write('/rev');
    await terminal.shows((screen) => /▸ \/review +Looks at changes/.test(screen));
    terminal.write('\tthe diff\r');
    await terminal.shows('› Review the diff.');
    await terminal.shows('● Reviewed.');
    await coder.idle();
    terminal.write('/ship\r');
    await terminal.shows((screen) => screen.includes('Esc cancel'));
    expect(terminal.text).toContain('Ship it to everybody.');
    expect(server.requests).toHaveLength(1);
    await coder.yes();
    await terminal.shows('› Ship it to everybody.');
    await terminal.until(() => server.requests.length === 2);
    await coder.idle();
    expect(terminal.clears).toBe(0);
  });

  it("the model loads a user's skill, and a command after an edit is told if it fails", async () => {
    const steps = [
      calls('skill', { name: 'style' }),
      calls('write', { path: 'a.ts', content: 'let a\n' }),
      text('Written.'),
    ];
    await using server = await scripted((index) => steps[index] ?? text('More.'));
    const folders = newFolders();
    put(folders.home, 'skills/style/SKILL.md', '---\ndescription: How code looks\n---\nTwo blanks.');
    const afterEdit = [{ files: '*.ts', run: 'echo "no semicolon"; exit 3' }];
    put(folders.home, 'config.json', JSON.stringify({ afterEdit }));
    using coder = await openCoder({ ...size, folders, server });
    const { terminal } = coder;
    await coder.say('write a.ts');
    await terminal.shows(/✓ skill .*style/);
    await terminal.shows(/✓ write .*a\.ts/);
    await terminal.until(() => /exit 3: a\.ts:\s+exit code 3/.test(terminal.text.replaceAll(/\s+/g, ' ')));
    await terminal.shows('● Written.');
    await coder.idle();
    const last = JSON.stringify(server.requests.at(-1)?.input);
    expect(last).toContain('Two blanks.');
    expect(last).toContain('no semicolon');
  });

  it('a second agent reads, and of its work one line and the answer are shown', async () => {
    const steps = [
      calls('explore', { task: 'What does a.txt hold?' }),
      calls('read', { path: 'a.txt' }),
      text('It holds 42.'),
      text('So it is 42.'),
    ];
    await using server = await scripted((index) => steps[index] ?? text('More.'));
    const folders = newFolders();
    put(folders.workspace, 'a.txt', '42\n');
    using coder = await openCoder({ ...size, folders, server });
    await coder.say('find it');
    await coder.terminal.shows(/✓ explore/);
    await coder.terminal.shows('● So it is 42.');
    await coder.idle();
    expect(coder.terminal.text).not.toMatch(/✓ read/);
  });

  it('a conversation that the server refuses as too long is summarized, and the next message is answered', async () => {
    await using server = await createScriptedServer({
      otherwise: ({ text: sent }) =>
        sent.length > 12_000
          ? errorReply({ status: 400, code: 'context_length_exceeded' })
          : {
              output: [
                { type: 'text', text: sent.includes('Summarize our conversation') ? 'A log of x.' : 'Here I am.' },
              ],
            },
    });
    const folders = newFolders();
    put(folders.workspace, 'big.log', 'x '.repeat(10_000));
    using coder = await openCoder({ ...size, folders, server });
    const { terminal } = coder;
    await coder.say('!cat big.log');
    await terminal.shows(/✓ cat/);
    await coder.idle();
    await coder.say('what is in it?');
    await terminal.until(() => terminal.text.replaceAll(/\s+/g, ' ').includes('Send your message again.'));
    await coder.idle();
    await coder.say('again');
    await terminal.shows('● Here I am.');
    expect(JSON.stringify(server.requests.at(-1)?.input)).toContain('A log of x.');
    expect(terminal.text).not.toMatch(/asking again/);
  });
});
