import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { describe, expect, it } from 'vitest';

import { createScriptedServer, type OutputDescription, responseEvents, type ScriptedStep } from '../../src/testing.js';
import { codeOf, DOCS, forInstalled, README } from '../docs/support/pages.js';
import { runNode } from '../package/run-node.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

interface Expected {
  /** What the server answers, round by round. */
  readonly rounds: readonly (OutputDescription | ScriptedStep)[];
  /** What has to be among what the example prints. */
  readonly prints: readonly (string | RegExp)[];
  /** What is run instead: a program that uses the example as a framework would. */
  readonly through?: string;
  /** What somebody types. */
  readonly answer?: { readonly to: string; readonly with: string };
}

const says = (text: string): OutputDescription => ({ type: 'text', text });
const calls = (name: string, args = {}): OutputDescription => ({ type: 'call', name, arguments: args });

/** Answers with what the tools said. */
const quotes: ScriptedStep = ({ input }) => {
  const outputs = input.filter((item) => item['type'] === 'function_call_output').map((item) => item['output']);
  return responseEvents({ id: 'resp_quote', output: [says(`They said: ${JSON.stringify(outputs)}`)] });
};

const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d/;

const EXAMPLES: Readonly<Record<string, Expected>> = {
  'quickstart.ts': {
    rounds: [calls('list_allowed_directories'), quotes],
    prints: ['They said: ', 'Allowed directories'],
  },
  'local-functions.ts': { rounds: [calls('now'), calls('add', { a: 2, b: 3 }), quotes], prints: [TIME, ',"5"]'] },
  'show-tools.ts': {
    rounds: [calls('now'), calls('greet', { name: 'Ada' }), quotes],
    prints: [
      'call now {}',
      /result now \d{4}-/,
      "call greet { name: 'Ada' }",
      'result greet Hello, Ada!',
      ',"Hello, Ada!"]',
    ],
  },
  'call-options.ts': {
    rounds: [({ body }) => responseEvents({ output: [says(JSON.stringify(body))] })],
    prints: ['"effort":"low"', '"verbosity":"low"', '"prompt_cache_key":"ducks"', '"metadata":{"project":"pond"}'],
  },
  'other-server.ts': {
    rounds: [({ body, headers }) => responseEvents({ output: [says(JSON.stringify([body, headers]))] })],
    prints: ['/v1/responses\n', '"seed":7', '"temperature":0.2', '"x-team":"pond"'],
  },
  'stock-fallback.ts': {
    rounds: [calls('now'), quotes],
    prints: [TIME, "{ uses: 'primary', because: 'flag' }"],
  },
  'watch.ts': {
    rounds: [calls('now'), quotes],
    prints: ['local now {}', /false \d+ ms/, 'round 1', "responseId: 'resp_quote'"],
  },
  'cost.ts': {
    rounds: [calls('now'), quotes],
    prints: [/tokens \d+ \d+ dollars 0\.\d{6}/, /round 1 \d+ 0\./, 'now { runs: 1, estimatedInputTokens: 6 }'],
  },
  'broken-stream.ts': {
    rounds: [
      {
        events: responseEvents({ output: [{ type: 'text', text: ['Ducks swim, and ', 'fly.'] }] }).slice(0, 5),
        ending: 'reset',
      },
      says('Ducks swim, and fly.'),
    ],
    prints: ['Ducks swim, and \n[broke off after 16 characters]\nfly.'],
  },
  'approval.ts': {
    rounds: [calls('look'), calls('drain'), calls('swim'), quotes],
    prints: [
      'Run drain?\n{}\n[y/N]',
      /3 ducks.*"drain.*was denied.*the user does not want that.*There is no tool named .*swim.*The tools are: look, drain/s,
    ],
    answer: { to: '[y/N]', with: 'n\n' },
  },
  'ask-in-page.ts': {
    rounds: [calls('look'), calls('drain'), calls('drain', { deep: true }), quotes],
    prints: [
      // Of the two answers to each question the first one counts, and only `true` is a yes.
      /answered 404\n.*"head":"drain","whole":"\{\}".*answered 204\nanswered 404\n/s,
      /"whole":"\{ \\"deep\\": true \}".*answered 204\nanswered 404\n/s,
      /"type":"data-question".*"approved":true.*"type":"data-question".*"approved":false/s,
      /"output":"3 ducks".*"output":"dry".*"errorText":"The call to .* was denied.*"delta":" denied"/s,
      '[DONE]',
    ],
    through: fileURLToPath(new URL('./answer-in-page.ts', import.meta.url)),
  },
  'ask-in-page-worker.ts': {
    rounds: [calls('drain'), quotes, calls('drain')],
    prints: [
      'without a chat 404\nanother path 404\n',
      // While the question waits, the stream is not silent, so that the server notices that the user leaves.
      /"type":"data-question".*answered 204\n.*"type":"data-waiting".*"output":"dry"/s,
      /"type":"data-question"[^]*answered 404\n(?![^]*"output":"dry")/,
    ],
    through: fileURLToPath(new URL('./ask-through-worker.ts', import.meta.url)),
  },
  'open-telemetry.ts': {
    rounds: [calls('now'), quotes],
    prints: [
      /name: 'responses-loop round 0'/,
      /name: 'responses-loop tool now'/,
      /name: 'responses-loop gpt-5.1'/,
      'They said: ',
      /parentSpanContext: \{/,
    ],
  },
  'errors.ts': {
    rounds: [],
    prints: ['connection-failed Could not reach http://127.0.0.1:59999/v1/responses', 'undefined true []'],
  },
  'route-handler.ts': {
    rounds: [calls('now'), quotes],
    prints: [
      '200 text/event-stream',
      /"type":"tool-input-available",.*"toolName":"now",.*"dynamic":true/,
      /"type":"tool-output-available",.*"output":"\d{4}-/,
      '"type":"text-delta"',
      '[DONE]',
    ],
    through: fileURLToPath(new URL('./post-to-route.ts', import.meta.url)),
  },
  'testing.ts': { rounds: [], prints: [] },
  'replay.ts': { rounds: [], prints: ['It cost 12 dollars. | 12 dollars.'] },
};

/** Too long for a page; one points to them. */
const NAMED_ONLY: ReadonlySet<string> = new Set(['open-telemetry.ts']);

describe('the examples', () => {
  it('are all run here', async () => {
    const files = (await readdir(join(ROOT, 'examples'))).filter((name) => name.endsWith('.ts'));
    expect(files.toSorted()).toEqual(Object.keys(EXAMPLES).toSorted());
  });

  it.concurrent.each(Object.entries(EXAMPLES))(
    '%s does what it shows',
    { timeout: 120_000 },
    async (file, { rounds, prints, through, answer }) => {
      const steps = rounds.map((round, at) =>
        typeof round === 'object' && 'type' in round ? responseEvents({ id: `resp_${at}`, output: [round] }) : round,
      );
      await using server = await createScriptedServer({ steps });
      const env = { OPENAI_BASE_URL: server.baseURL, MODEL_SERVER: server.baseURL, HOME: process.env['HOME'] ?? '' };
      const { code, stdout, stderr } = await runNode(['--import', 'tsx', through ?? join('examples', file)], {
        cwd: ROOT,
        env,
        ...(answer === undefined ? {} : { answer }),
      });
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      for (const text of prints) expect(stdout).toMatch(text);
      server.assertDone();
    },
  );

  it('stand in README or docs, word for word but for the import', async () => {
    const shown = new Set([README, ...DOCS].flatMap((page) => codeOf(page, 'ts').map(forInstalled)));
    const files = Object.keys(EXAMPLES).filter((file) => !NAMED_ONLY.has(file));
    const texts = await Promise.all(
      files.map(async (file) => [file, await readFile(join(ROOT, 'examples', file), 'utf8')] as const),
    );
    expect(texts.filter(([, text]) => !shown.has(text)).map(([file]) => file)).toEqual([]);
  });
});
