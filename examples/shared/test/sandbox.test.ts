import { chmodSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSandbox, type SandboxPlace } from '../sandbox.js';

let base = '';
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'sandbox-')));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const place = (): SandboxPlace => ({ roots: [base], hidden: [], hasNetwork: false, path: '/usr/bin' });

describe('a sandbox that cannot be had', () => {
  it('is off if nobody wished for it', () => {
    const sandbox = createSandbox('off', place());
    expect([sandbox.isOn, sandbox.label, sandbox.wrap(), sandbox.openable([base])]).toEqual([false, 'off', [], []]);
  });

  it('is off with the reason, or an error, if bubblewrap is not permitted', () => {
    const broken = join(base, 'bwrap');
    writeFileSync(broken, '#!/bin/sh\necho "bwrap: No permissions to create new namespace" >&2; exit 1\n');
    chmodSync(broken, 0o755);
    const why = `${broken} does not work here (No permissions to create new namespace)`;
    expect(createSandbox('auto', place(), broken)).toMatchObject({ isOn: false, label: `off: ${why}` });
    expect(() => createSandbox('required', place(), broken)).toThrow(
      `--sandbox required: commands cannot be isolated: ${why}.`,
    );
  });

  it('is off if it is not installed', () => {
    const label = createSandbox('auto', place(), join(base, 'none')).label;
    expect(label).toMatch(/^off: .*none does not work here \(.*ENOENT\)$/);
  });
});
