import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { streamText } from 'ai';
import { createResponsesProvider, type ResponsesProviderSettings } from 'responses-loop';
import { onTestFinished } from 'vitest';

import { responseEvents, type ScriptedStep } from '../../../src/testing.js';

/** Nobody could say where it is; requests that name it never leave the process. */
export const BASE_URL = 'https://models.example.test/v1';
export const KEY = 'sk-conversation-0123456789';
/** What a real server would have sealed. */
export const SEALED = `gAAAAB+/${'c2VhbGVk'.repeat(20)}==`;

/** Two rounds of calls with sealed reasoning, then an answer. */
export const CONVERSATION: readonly ScriptedStep[] = [
  responseEvents({
    id: 'resp_1',
    output: [
      { type: 'reasoning', summary: ['Add first.'], encrypted: SEALED },
      { type: 'call', name: 'add', arguments: { a: 2, b: 3 } },
    ],
  }),
  responseEvents({
    id: 'resp_2',
    output: [
      { type: 'text', text: 'Five, and 👩‍👧 …' },
      { type: 'call', name: 'add', arguments: { a: 5, b: 4 } },
    ],
  }),
  responseEvents({ id: 'resp_3', output: [{ type: 'text', text: 'It is 9, naïvely.' }] }),
];

/** A directory that is gone when the test is, and in it a place for a fixture. */
export async function freshDirectory(name = 'conversation'): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'recording-'));
  onTestFinished(() => rm(root, { recursive: true }));
  return join(root, name);
}

/** Has the conversation, through whatever the settings say, and gives everything the app saw of it. */
export async function converse(
  settings: ResponsesProviderSettings,
  prompt = 'What is 2 + 3 + 4?',
): Promise<readonly unknown[]> {
  const provider = createResponsesProvider({
    baseURL: BASE_URL,
    backend: 'openai',
    apiKey: KEY,
    tools: { add: { inputSchema: { type: 'object' }, execute: ({ a, b }) => Number(a) + Number(b) } },
    ...settings,
  });
  const parts: unknown[] = [];
  const { fullStream } = streamText({ model: provider('any'), prompt, maxRetries: 0, onError: () => {} });
  for await (const part of fullStream) parts.push(comparable(part));
  await provider.close();
  return parts;
}

const OUTSIDE: ReadonlySet<string> = new Set(['timestamp', 'request', 'headers', 'origin']);

/** Without what tells one run from another, and one name of what is sealed from another. */
function comparable(part: unknown): unknown {
  const text = JSON.stringify(part, (key, value: unknown) => {
    if (key === 'error' && value instanceof Error) return value.message;
    return OUTSIDE.has(key) ? undefined : value;
  });
  return JSON.parse(text.replaceAll(SEALED, 'sealed-1'));
}

/** A request by hand, to {@link BASE_URL} or wherever. */
export const post = (body: unknown = {}, init: RequestInit = {}): RequestInit => ({
  method: 'POST',
  body: JSON.stringify(body),
  ...init,
});

/** All that was written, in one text. */
export async function allFiles(directory: string): Promise<string> {
  const files = await readdir(directory);
  return (await Promise.all(files.map((file) => readFile(join(directory, file), 'utf8')))).join('\n');
}
