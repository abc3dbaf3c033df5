import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createResponsesProvider } from 'responses-loop';
import { fileOAuthProvider } from 'responses-loop/node';
import { createScriptedServer } from 'responses-loop/testing';
import { userPrompt } from '../acceptance/support/parts.js';
import { signInServiceOfTest } from '../tools/mcp/sign-in-service.js';

const REDIRECT = 'http://127.0.0.1:8976/callback';

function newFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'oauth-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'users', 'docs.json');
}

/** A program that signs in by this file. Returns the names of the tools that a call offers, and its warnings. */
async function program(path: string, url: string) {
  const pages: URL[] = [];
  const authProvider = fileOAuthProvider(path, { redirectUrl: REDIRECT, open: (page) => void pages.push(page) });
  const server = await createScriptedServer({ otherwise: () => 'Hello.' });
  const provider = createResponsesProvider({
    baseURL: server.baseURL,
    apiKey: 'test',
    mcpServers: { docs: { url, authProvider } },
  });
  onTestFinished(async () => {
    await provider.close();
    await server.close();
  });
  const offered = async () => {
    const { warnings } = await provider('m').doGenerate({ prompt: userPrompt('Hi') });
    const tools = (server.requests.at(-1)?.body['tools'] ?? []) as { name: string }[];
    return { names: tools.map(({ name }) => name), warnings: JSON.stringify(warnings) };
  };
  const agree = async (): Promise<void> => {
    const answer = await fetch(pages.at(-1) ?? '', { redirect: 'manual' });
    await provider.finishSignIn('docs', answer.headers.get('location') ?? '');
  };
  return { provider, authProvider, pages, offered, agree };
}

describe('fileOAuthProvider', () => {
  it('keeps the sign-in of one program for the next, in a file of its owner', async () => {
    const [service, path] = [await signInServiceOfTest(), newFile()];
    const first = await program(path, service.url);
    expect((await first.offered()).names).toEqual([]);
    expect(first.pages).toHaveLength(1);
    await first.agree();
    expect((await first.offered()).names).toEqual(['secret']);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(join(path, '..')).mode & 0o777).toBe(0o700);
    expect(readdirSync(join(path, '..'))).toEqual(['docs.json']);

    const next = await program(path, service.url);
    expect((await next.offered()).names).toEqual(['secret']);
    expect(next.pages).toEqual([]);
    expect(service.clients).toEqual([
      expect.objectContaining({ client_name: 'responses-loop', redirect_uris: [REDIRECT] }),
    ]);
  });

  it('writes renewed tokens down, and sees those that another program has renewed', async () => {
    const [service, path] = [await signInServiceOfTest(), newFile()];
    const [one, other] = [await program(path, service.url), await program(path, service.url)];
    await one.offered();
    await one.agree();
    expect((await other.offered()).names).toEqual(['secret']);
    service.valid = 'expired';
    const third = await program(path, service.url);
    expect((await third.offered()).names).toEqual(['secret']);
    expect(service.renewals).toBe(1);
    const fourth = await program(path, service.url);
    expect((await fourth.offered()).names).toEqual(['secret']);
    expect([service.renewals, fourth.pages]).toEqual([1, []]);
  });

  it('leaves tokens that another program has renewed, if the service refuses the older ones', async () => {
    const path = newFile();
    const programs = [0, 1].map(() => fileOAuthProvider(path, { redirectUrl: REDIRECT, open: () => {} }));
    const [winner, loser] = programs;
    await winner?.saveTokens({ access_token: 'token-1', token_type: 'Bearer', refresh_token: 'refresh-1' });
    // Both renew with the same token, which serves once.
    for (const one of programs) expect(await one.tokens()).toMatchObject({ refresh_token: 'refresh-1' });
    await winner?.saveTokens({ access_token: 'token-2', token_type: 'Bearer', refresh_token: 'refresh-2' });
    await loser?.invalidateCredentials?.('tokens');
    expect(await loser?.tokens()).toMatchObject({ refresh_token: 'refresh-2' });
    await loser?.invalidateCredentials?.('tokens');
    expect(await winner?.tokens()).toBeUndefined();
  });

  it('signs out: the next program has to sign in again', async () => {
    const [service, path] = [await signInServiceOfTest(), newFile()];
    const first = await program(path, service.url);
    await first.offered();
    await first.agree();
    await first.authProvider.signOut();
    expect(readFileSync(path, 'utf8')).not.toContain('token-');
    const next = await program(path, service.url);
    expect((await next.offered()).names).toEqual([]);
    expect(next.pages).toHaveLength(1);
  });

  it.skipIf(process.platform === 'win32')('takes no file that others can read', async () => {
    const [service, path] = [await signInServiceOfTest(), newFile()];
    const first = await program(path, service.url);
    await first.offered();
    await first.agree();
    chmodSync(path, 0o644);
    const { names, warnings } = await (await program(path, service.url)).offered();
    expect(names).toEqual([]);
    expect(warnings).toContain('other users can read it');
  });

  it.each(['', 'no JSON', '[]', '{"tokens":"abc"}', '{"client":{}}'])(
    'takes no file with something else: %j',
    async (text) => {
      const path = join(newFile(), '..', '..', 'docs.json');
      writeFileSync(path, text, { mode: 0o600 });
      const provider = fileOAuthProvider(path, { redirectUrl: REDIRECT, open: () => {} });
      await expect(async () => provider.tokens()).rejects.toThrow(`"${path}" cannot be used: it is no sign-in`);
      expect(readFileSync(path, 'utf8')).toBe(text);
    },
  );

  it('names the file that cannot be written', async () => {
    const path = join(newFile(), '..', '..', 'file');
    writeFileSync(path, '');
    const provider = fileOAuthProvider(join(path, 'docs.json'), { redirectUrl: REDIRECT, open: () => {} });
    await expect(async () => provider.saveTokens({ access_token: 'a', token_type: 'Bearer' })).rejects.toThrow(
      'docs.json" cannot be used',
    );
  });
});
