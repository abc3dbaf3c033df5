import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { buildPage } from '../../../server/build-page';

export const APP = fileURLToPath(new URL('../../..', import.meta.url));
const CACHE = join(APP, 'node_modules');

/** What takes the place of the packages that `package.json` of the app names. */
const PACKAGES = {
  6: {},
  7: { ai: 'ai-7', '@ai-sdk/react': 'ai-react-7', 'responses-loop/ai6': 'responses-loop/ai7' },
} as const;

export type Sdk = keyof typeof PACKAGES;

export interface RunningApp extends AsyncDisposable {
  readonly url: string;
}

/** Builds page and server for an AI SDK and starts the server as a process, with the model at `baseURL`. */
export async function startApp(sdk: Sdk, baseURL: string): Promise<RunningApp> {
  const folder = mkdtempSync(join(CACHE, 'chat-app-'));
  const server = await bundle(sdk, folder, 'server/serve.ts');
  // The server looks for its page there, from the folder it is started in.
  await buildPage(join(folder, 'node_modules/.cache/page'), aliases(sdk));
  const env = { ...process.env, OPENAI_BASE_URL: baseURL, HISTORY_SECRET: 'a secret for this test only', PORT: '0' };
  const child = spawn(process.execPath, [server], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
  return {
    url: await firstUrl(child),
    [Symbol.asyncDispose]: async () => {
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
      rmSync(folder, { recursive: true });
    },
  };
}

/** Bundles one file of the app for Node; answers where it is. */
export async function bundle(sdk: Sdk, folder: string, entry: string): Promise<string> {
  await build({
    root: APP,
    configFile: false,
    logLevel: 'error',
    resolve: { alias: aliases(sdk) },
    build: { ssr: entry, outDir: join(folder, 'server'), rollupOptions: { output: { entryFileNames: '[name].mjs' } } },
  });
  return join(folder, entry.replace(/ts$/, 'mjs'));
}

/** Whole names only: `ai` is the beginning of others. */
function aliases(sdk: Sdk): { find: RegExp; replacement: string }[] {
  return Object.entries(PACKAGES[sdk]).map(([name, replacement]) => ({ find: new RegExp(`^${name}$`), replacement }));
}

async function firstUrl({ stdout }: ChildProcess): Promise<string> {
  if (stdout === null) throw new Error('The server has no output.');
  for await (const line of createInterface({ input: stdout })) {
    const [url] = /http:\S+/.exec(line) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error('The server ended before it named its address.');
}
