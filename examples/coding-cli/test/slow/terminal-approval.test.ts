import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ScriptedServer } from 'responses-loop/testing';
import { describe, expect, it } from 'vitest';
import {
  bash,
  filesIn,
  linesOf,
  type OpenCoder,
  openCoder,
  rolloutsIn,
  scripted,
  SIZES,
  text,
} from '../support/open-coder.js';

/** Two commands that have to be asked about, one after another; then what came of them. */
function asker(...commands: readonly string[]): Promise<ScriptedServer> {
  return scripted((_, { input }) => {
    const last = input.findLastIndex((item) => item['role'] === 'user');
    const outputs = input.slice(last).filter((item) => item['type'] === 'function_call_output');
    const next = commands[outputs.length];
    return next === undefined
      ? text(`Outputs: ${outputs.map(({ output }) => JSON.stringify(output)).join(' ')} end.`)
      : bash(next);
  });
}

const asked = (coder: OpenCoder, command: string): Promise<void> =>
  coder.terminal.shows(
    (screen) => screen.includes('Run this command?') && screen.includes(command) && screen.includes('Esc cancel'),
  );

const made = (coder: OpenCoder): string[] => filesIn(coder.folders.workspace).toSorted();

describe.each(SIZES)('a question in a terminal of $columns × $rows', (size) => {
  it('shows what would run, how it is judged and why, the rule, and what each key does', async () => {
    await using server = await asker('touch one');
    using coder = await openCoder({ ...size, server });
    await coder.say('go');
    await asked(coder, 'touch one');
    const { terminal } = coder;
    const shown = terminal.screen.filter((line) => /^[┏┃┗]/.test(line)).join('\n');
    expect(shown).toContain('┃ touch one');
    expect(shown).toContain('ask · touch may change files');
    expect(shown).toContain(`in ${coder.folders.workspace.slice(0, 12)}`);
    expect(shown).toContain('s/a will allow: bash: touch');
    expect(shown.replaceAll(/\n[┃┗] /g, ' ')).toMatch(
      /y allow once +s this session +a always in this folder +n deny +Esc cancel/,
    );
    expect(made(coder)).toEqual([]);
    expect(terminal.clears).toBe(0);
  });

  it('y: runs it once, and asks again for the next one', async () => {
    await using server = await asker('touch one', 'touch two');
    using coder = await openCoder({ ...size, server });
    await coder.say('go');
    await asked(coder, 'touch one');
    coder.terminal.write('y');
    await asked(coder, 'touch two');
    expect(made(coder)).toEqual(['one']);
    coder.terminal.write('y');
    await coder.terminal.shows('end.');
    await coder.idle();
    expect(made(coder)).toEqual(['one', 'two']);
    expect(coder.terminal.count('allowed by you, once')).toBe(2);
    expect(coder.terminal.clears).toBe(0);
  });

  it('s: asks no more in this session, and again in the next', async () => {
    await using server = await asker('touch one', 'touch two');
    using coder = await openCoder({ ...size, server });
    await coder.say('go');
    await asked(coder, 'touch one');
    coder.terminal.write('s');
    await coder.terminal.shows('end.');
    await coder.idle();
    expect(made(coder)).toEqual(['one', 'two']);
    expect(coder.terminal.text).toContain('for this session');
    await coder.say('/permissions');
    await coder.terminal.shows(/this session +bash: touch \*/);
    await coder.say('/new');
    await coder.terminal.shows(() => coder.terminal.count('/help lists') === 2);
    await coder.idle();
    await coder.say('again');
    await asked(coder, 'touch one');
  });

  it('a: asks no more in this folder, also in another session', async () => {
    await using server = await asker('touch one');
    using first = await openCoder({ ...size, server });
    await first.say('go');
    await asked(first, 'touch one');
    first.terminal.write('a');
    await first.terminal.shows('end.');
    await first.idle();
    first.terminal.write('\u0004');
    await first.terminal.exited;
    expect(existsSync(join(first.folders.workspace, '.coder'))).toBe(false);
    using second = await openCoder({ ...size, server, folders: first.folders });
    await second.say('/permissions');
    await second.terminal.shows(/always here +bash: touch \*/);
    await second.say('go');
    await second.terminal.shows('end.');
    expect(second.terminal.text).not.toContain('Run this command?');
    await second.idle();
    await second.say('/permissions remove bash: touch *');
    await second.terminal.shows('Removed: ');
    await second.say('once more');
    await asked(second, 'touch one');
  });

  it('n: asks why, and tells the model', async () => {
    await using server = await asker('touch one');
    using coder = await openCoder({ ...size, server });
    await coder.say('go');
    await asked(coder, 'touch one');
    coder.terminal.write('n');
    await coder.terminal.shows('Why not?');
    coder.terminal.write('use two');
    await coder.terminal.shows('Why not? use two');
    coder.terminal.write('\r');
    await coder.terminal.shows('end.');
    await coder.idle();
    expect(made(coder)).toEqual([]);
    expect(coder.terminal.text).toContain('you said no: use two');
    const sent = JSON.stringify(server.requests.at(-1)?.body);
    expect(sent).toContain('use two');
  });

  it('Esc: ends the task, and the next one works', async () => {
    await using server = await asker('touch one');
    using coder = await openCoder({ ...size, server });
    await coder.say('go');
    await asked(coder, 'touch one');
    coder.terminal.write('\u001B');
    await coder.terminal.shows('Interrupted.');
    await coder.idle();
    expect(made(coder)).toEqual([]);
    await coder.say('once more');
    await asked(coder, 'touch one');
    coder.terminal.write('y');
    await coder.terminal.shows('end.');
    expect(made(coder)).toEqual(['one']);
    await coder.idle();
    const [path = ''] = rolloutsIn(coder.folders.home);
    coder.terminal.write('\u0004');
    await coder.terminal.exited;
    const decisions = linesOf(path).flatMap(({ msg }) => {
      const { type, data } = (msg ?? {}) as { type?: string; data?: { decision: string } };
      return type === 'approval_decision' ? [data?.decision] : [];
    });
    expect(decisions).toEqual(['abort', 'approved']);
  });

  it('takes no letter of a word that is being written for an answer', async () => {
    await using server = await scripted((index) => (index === 0 ? { ...bash('touch one') } : text('end.')));
    using coder = await openCoder({ ...size, server });
    await coder.say('go');
    // Somebody who goes on typing, too fast to have read the question.
    for (const letter of 'yes, yes') {
      coder.terminal.write(letter);
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
    await asked(coder, 'touch one');
    expect(made(coder)).toEqual([]);
    await coder.terminal.shows((screen) => screen.includes('Esc cancel'));
    coder.terminal.write('n');
    await coder.terminal.shows('Why not?');
    coder.terminal.write('\r');
    await coder.terminal.shows((screen) => screen.includes('› yes, yes'));
    expect(made(coder)).toEqual([]);
  });

  it('spells what cannot be seen, and prints what the dialog has no room for', async () => {
    const command = `touch 'a\u202Eb' ${'one two three four '.repeat(40)} last`;
    await using server = await asker(command);
    using coder = await openCoder({ ...size, server });
    await coder.say('go');
    await coder.terminal.shows((screen) => screen.includes('printed in full above'));
    expect(coder.terminal.text).toContain('a⟨U+202E⟩b');
    const above = coder.terminal.text.slice(0, coder.terminal.text.indexOf('┏'));
    expect(above.match(/three/g)).toHaveLength(40);
    expect(above).toContain('last');
    expect(coder.terminal.clears).toBe(0);
  });

  it('offers no rule for what is dangerous', async () => {
    await using server = await asker('sudo touch one');
    using coder = await openCoder({ ...size, server });
    await coder.say('go');
    await asked(coder, 'sudo touch one');
    const shown = coder.terminal.screen.join('\n');
    expect(shown).toContain('danger ·');
    expect(shown).not.toContain('always here');
    coder.terminal.write('a');
    coder.terminal.write('s');
    coder.terminal.write('n');
    await coder.terminal.shows('Why not?');
    coder.terminal.write('\r');
    await coder.terminal.shows('end.');
    expect(readFileSync(rolloutsIn(coder.folders.home)[0] ?? '', 'utf8')).not.toContain('approved_');
  });
});
