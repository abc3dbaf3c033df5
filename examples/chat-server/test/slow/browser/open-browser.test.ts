import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { spawn } from '@lydell/node-pty';
import { expect, it, onTestFinished } from 'vitest';
import { describeInChromium, newFolder } from './support/browser.js';
import { BIN } from '../../support/start-chat.js';

const CHROMIUM = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';
const MAX_MS = 60_000;

/** A desktop of which the test sees everything: what was started, with which file, of which mode. */
const opener = (notes: string): string => `#!/bin/sh
printf '%s\\n' "$@" > "${notes}/arguments"
cp "$1" "${notes}/page"
stat -c %a "$1" > "${notes}/mode"
exec "${CHROMIUM}" --headless=new --no-sandbox --disable-gpu --no-first-run --disable-background-networking \\
  --user-data-dir="${notes}/profile" --remote-debugging-port=0 "$1"
`;

describeInChromium('the browser that the server opens', () => {
  it('gets to the chat, the token stands in the arguments of no process, and the file is gone', async () => {
    const [home, workspace, notes] = [newFolder(), newFolder(), newFolder()];
    mkdirSync(join(notes, 'bin'));
    writeFileSync(join(notes, 'bin', 'xdg-open'), opener(notes));
    chmodSync(join(notes, 'bin', 'xdg-open'), 0o755);
    const terminal = spawn(process.execPath, [BIN, '-w', workspace, '--offline', '--port', '0'], {
      cwd: workspace,
      cols: 200,
      env: { PATH: `${join(notes, 'bin')}:${process.env['PATH']}`, HOME: home },
    });
    let shown = '';
    terminal.onData((text) => (shown += text));
    const ended = new Promise<void>((resolve) => terminal.onExit(() => resolve()));
    onTestFinished(async () => {
      terminal.kill('SIGTERM');
      await ended;
      for (const pid of pidsWith(notes)) process.kill(pid, 'SIGKILL');
    });

    const isGone = (): boolean => existsSync(join(notes, 'mode')) && !existsSync(read(notes, 'arguments'));
    const seen = new Set<string>();
    for (const end = Date.now() + MAX_MS; Date.now() < end && !isGone(); await sleep(10)) {
      for (const line of commandLines().values()) seen.add(line);
    }
    const [, token = 'no token was printed'] = /#token=([\w-]+)/.exec(shown) ?? [];
    // Only a request with the token takes it away this early.
    expect(isGone()).toBe(true);
    expect(read(notes, 'page')).toContain(`#token=${token}"`);
    expect(read(notes, 'mode')).toBe('600');
    expect([...seen].join('\n')).toContain('open.html');
    expect([...seen].filter((line) => line.includes(token))).toEqual([]);
  });
});

function read(folder: string, name: string): string {
  return readFileSync(join(folder, name), 'utf8').trim();
}

/** Of every process of the machine, as its other users see them. */
function commandLines(): ReadonlyMap<number, string> {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return new Map(
    pids.flatMap((pid) => {
      try {
        return [[Number(pid), readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')] as const];
      } catch {
        return [];
      }
    }),
  );
}

function pidsWith(text: string): number[] {
  return [...commandLines()].filter(([, line]) => line.includes(text)).map(([pid]) => pid);
}
