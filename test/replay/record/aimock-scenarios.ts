import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { LLMock } from '@copilotkit/aimock';

import { FIXTURES } from '../../helpers/fixtures.js';
import { wireEvents } from '../../servers/support/wire-stream.js';
import type { RunningServer, Scenario } from './scenario.js';

type Answer = Parameters<LLMock['on']>[1];
type Options = Parameters<LLMock['on']>[2];

interface Told extends NonNullable<Options> {
  /** What the server answers, request by request. */
  readonly answers: readonly unknown[];
}

const PARIS = { name: 'get_weather', arguments: '{"city":"Paris"}' };
const TOKYO = { name: 'get_weather', arguments: '{"city":"Tokyo"}' };
const call = (id: string, name: string, args: object | string): object => ({
  toolCalls: [{ id, name, arguments: typeof args === 'string' ? args : JSON.stringify(args) }],
});

/** What aimock is told to say in each of its fixtures. */
const TOLD: Readonly<Record<string, Told>> = {
  'aimock-text': { answers: [{ content: 'Hello! How can I help you today?' }] },
  'aimock-unicode': { answers: [{ content: 'naïve café — 東京 🗼 👩‍👩‍👧 ok' }], chunkSize: 3 },
  'aimock-web-search': { answers: [{ content: 'Found it.', webSearches: ['weather paris'] }] },
  'aimock-function-call': {
    answers: [{ toolCalls: [PARIS] }, { content: 'It is sunny and 21 degrees in Paris.' }],
  },
  'aimock-parallel-calls': { answers: [{ toolCalls: [PARIS, TOKYO] }] },
  'aimock-reasoning-function-call': { answers: [{ toolCalls: [PARIS], reasoning: 'I need the weather tool.' }] },
  'aimock-text-then-function-call': {
    answers: [{ content: 'Let me add those.', toolCalls: [{ name: 'get-sum', arguments: '{"a":2,"b":40}' }] }],
  },
  'aimock-arguments-as-object': {
    answers: [{ toolCalls: [{ id: 'call_lisbon', name: 'get_weather', arguments: { city: 'Lisbon' } }] }],
  },
  'aimock-disconnected': { answers: [{ content: 'Never said.' }], truncateAfterChunks: 3, latency: 30 },
  truncated: { answers: [{ content: 'This is cut.' }], chunkSize: 4, truncateAfterChunks: 6, latency: 30 },
  'one-tool': {
    answers: [call('call_lisbon', 'get_weather', { city: 'Lisbon' }), { content: 'It is 24 °C and clear in Lisbon.' }],
    chunkSize: 8,
  },
  'failing-tool': {
    answers: [
      call('call_missing', 'read_text_file', { path: 'notes/missing.txt' }),
      { content: 'There is no file notes/missing.txt.' },
    ],
    chunkSize: 8,
  },
  'several-rounds': {
    answers: [
      { content: 'I will look for it.', ...call('call_list', 'list_directory', { path: 'notes' }) },
      call('call_read_a', 'read_text_file', { path: 'notes/a.txt' }),
      call('call_read_b', 'read_text_file', { path: 'notes/b.txt' }),
      { content: 'Only notes/b.txt mentions ducks.' },
    ],
    chunkSize: 8,
  },
  // Its text stands nowhere else.
  'long-text': { answers: [{ content: textOf('long-text') }], chunkSize: 8 },
};

export const AIMOCK_SCENARIOS: readonly Scenario[] = Object.entries(TOLD).map(([name, told]) => ({
  name,
  open: () => startAimock(told),
}));

const MANIFEST = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8');
/** Exact, since recordings name it. */
const VERSION = (JSON.parse(MANIFEST) as { devDependencies: Record<string, string> }).devDependencies[
  '@copilotkit/aimock'
];

async function startAimock({ answers, ...options }: Told): Promise<RunningServer> {
  const mock = new LLMock({ port: 0, host: '127.0.0.1', logLevel: 'silent', strict: true });
  // Also what no server should send.
  answers.forEach((answer, at) => mock.on({ predicate: (): boolean => asked() === at }, answer as Answer, options));
  await mock.start();
  const asked = (): number => mock.getRequests().length;
  return { baseURL: `${mock.url}/v1`, source: `@copilotkit/aimock ${VERSION}`, close: () => mock.stop() };
}

function textOf(name: string): string {
  const events = wireEvents(readFileSync(join(FIXTURES, name, '1.sse')));
  return String(events.find((event) => event['type'] === 'response.output_text.done')?.['text']);
}
