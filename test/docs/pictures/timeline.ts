import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { generateText } from 'ai';
import { chromium } from 'playwright-core';
import { COMMANDS } from '../../../src/cli/commands.js';
import { createResponsesProvider } from '../../../src/index.js';
import { recordEvents } from '../../../src/node.js';
import {
  createScriptedServer,
  errorReply,
  type OutputDescription,
  responseEvents,
  type ScriptedStep,
} from '../../../src/testing.js';

const FILE = 'docs/images/timeline.png';
const PROGRAM = 'dist/cli/main.js';
const SIZE = { width: 1200, height: 510 };

/** The page that `npx responses-loop timeline` makes of a real call: four rounds, tools side by side, a retry and an approval. */
export async function drawTimeline(): Promise<string | undefined> {
  if (!Object.hasOwn(COMMANDS, 'timeline')) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'timeline-'));
  try {
    const [events, page] = [join(folder, 'events.jsonl'), join(folder, 'timeline.html')];
    await makeCall(events);
    execFileSync(process.execPath, [PROGRAM, 'timeline', events, '-o', page], { stdio: 'inherit' });
    await photograph(page);
    return FILE;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function makeCall(events: string): Promise<void> {
  const record = recordEvents(events);
  await using server = await createScriptedServer({ steps: STEPS });
  await using provider = createResponsesProvider({
    baseURL: server.baseURL,
    onEvent: record,
    retry: { initialDelayMs: 300 },
    approve: async (call) => call.readOnly || (await sleep(300, true)),
    tools: {
      search: tool('Searches the notes.', 420, '3 notes about ducks'),
      read: tool('Reads a note.', 260, 'Ducks float because their feathers hold air.'),
      weather: tool('The weather at the pond.', 640, 'Rain until noon.'),
      write: { ...tool('Writes a note.', 350, 'Saved.'), readOnly: false },
    },
  });
  await generateText({ model: provider('gpt-5.1'), prompt: 'Read my notes about ducks, and add what is missing.' });
  record.close();
}

function tool(description: string, ms: number, output: string) {
  const inputSchema = { type: 'object' } as const;
  return { description, inputSchema, readOnly: true, execute: async () => (await sleep(ms), output) };
}

const call = (name: string, args: Readonly<Record<string, string>>) =>
  ({ type: 'call', name, arguments: args }) as const;

const USAGE = {
  input_tokens: 940,
  input_tokens_details: { cached_tokens: 512 },
  output_tokens: 61,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 1001,
};

/** A response that comes in pieces, as models write. */
function slowly(id: string, ...output: readonly OutputDescription[]): ScriptedStep {
  return { events: responseEvents({ id, output, usage: USAGE }), delayMs: 40 };
}

const STEPS: readonly ScriptedStep[] = [
  slowly(
    'resp_1',
    { type: 'text', text: 'Let me look into your notes.' },
    call('search', { query: 'ducks' }),
    call('weather', { place: 'pond' }),
    call('read', { note: 'feathers' }),
  ),
  errorReply({ status: 503 }),
  slowly('resp_2', call('read', { note: 'pond' }), call('read', { note: 'swans' })),
  slowly('resp_3', call('write', { note: 'ducks', text: 'Feathers hold air.' })),
  slowly('resp_4', { type: 'text', text: 'Done: the note about ducks says now why they float.' }),
];

async function photograph(page: string): Promise<void> {
  const browser = await chromium.launch({
    executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox'],
  });
  try {
    const tab = await browser.newPage({ viewport: SIZE, colorScheme: 'light' });
    await tab.goto(`file://${page}`, { waitUntil: 'load' });
    await tab.waitForTimeout(500);
    await tab.screenshot({ path: FILE });
  } finally {
    await browser.close();
  }
}
