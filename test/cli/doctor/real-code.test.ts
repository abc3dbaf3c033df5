import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateText } from 'ai';
import type { ResponsesProviderV2 } from 'responses-loop';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { typeErrors } from '../../helpers/type-errors.js';
import { type Behaviour, modelServer } from './support/model-server.js';
import { diagnose } from './support/run-doctor.js';

const KEY = 'sk-able-0123456789abcdef';

const SERVERS: readonly (readonly [what: string, change: Partial<Behaviour>, words: readonly string[]])[] = [
  ['fits a built-in profile', { keyIn: 'authorization' }, ["backend: 'openai'"]],
  ['fits none', { messageIds: 'synthetic', files: false, keyIn: 'api-key' }, ["name: 'own'", "auth: 'api-key'"]],
  ['refuses store and temperature', { refuses: ['store', 'temperature'] }, ['reasoningModels: [ /^/ ]', 'store: null']],
  ['has its API elsewhere', { path: '/openai/v1/responses' }, ["/openai/v1'"]],
];

/** The provider of a piece of code that stands in a file of its own. */
async function providerOf(code: string): Promise<ResponsesProviderV2> {
  const dir = mkdtempSync(join(tmpdir(), 'doctor-code-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const file = join(dir, 'provider.ts');
  writeFileSync(file, code);
  // The code exports nothing else.
  const { provider } = (await import(file)) as { readonly provider: ResponsesProviderV2 };
  onTestFinished(() => provider.close());
  return provider;
}

describe('the code that doctor prints for a server that', () => {
  it.each(SERVERS)('%s compiles, and gets an answer of that server', async (_what, change, words) => {
    const { baseURL, origin, bodies } = await modelServer(change);
    vi.stubEnv('MY_KEY', KEY);
    vi.stubEnv('X_TEAM', 'pond');
    onTestFinished(() => void vi.unstubAllEnvs());
    const url = change.path === undefined ? baseURL : origin;
    const args = ['--model', 'able-1', '--api-key-env', 'MY_KEY', '--header', 'x-team=pond'];
    const { code } = await diagnose(url, args, { env: { MY_KEY: KEY } });
    for (const word of words) expect(code).toContain(word);
    expect(typeErrors(new Map([['doctor', code ?? '']]))).toEqual([]);
    const provider = await providerOf(code ?? '');
    const before = bodies.length;
    const { text } = await generateText({ model: provider('able-1'), prompt: 'Hello?', temperature: 0.5 });
    expect(text).toBe('ok');
    // Nothing had to be sent twice.
    expect(bodies.length - before).toBe(1);
  });
});
