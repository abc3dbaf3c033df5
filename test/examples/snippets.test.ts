import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { createScriptedServer, responseEvents, type ScriptedStep } from '../../src/testing.js';
import { codeOf, forInstalled, README, readPage } from '../docs/support/pages.js';
import { runNode } from '../package/run-node.js';

/** On a machine with other work. */
const PATIENCE_MS = 120_000;
const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const says = (text: string): ScriptedStep => ({ output: [{ type: 'text', text }] });
const calls = (name: string, args = {}): ScriptedStep => ({ output: [{ type: 'call', name, arguments: args }] });

/** Answers with what the tools said. */
const quotes: ScriptedStep = ({ input }) => {
  const outputs = input.filter((item) => item['type'] === 'function_call_output').map((item) => item['output']);
  return responseEvents({ output: [{ type: 'text', text: `They said: ${JSON.stringify(outputs)}` }] });
};

interface Snippet {
  readonly code: string | undefined;
  readonly steps: readonly ScriptedStep[];
  readonly prints: readonly string[];
}

/** The one piece of code of the README with these words. */
function fromReadme(words: string): string | undefined {
  return codeOf(README, 'ts').find((code) => code.includes(words));
}

/** The program after the change that the page shows. */
const migrated = codeOf(readPage('docs/migrating-from-ai-sdk-openai.md'), 'diff')[0]
  ?.split('\n')
  .filter((line) => !line.startsWith('-'))
  .map((line) => line.slice(1))
  .join('\n');

const SNIPPETS: Readonly<Record<string, Snippet>> = {
  'README, which tools ran': {
    code: fromReadme('provider.tools()'),
    steps: [says('Noon.')],
    prints: ['call-start', 'round-end', 'call-end'],
  },
  'README, a second turn': { code: fromReadme('And which mentions geese?'), steps: [says('pond.txt.')], prints: [] },
  'README, another server': {
    code: fromReadme("backend: 'llamacpp'"),
    steps: [],
    prints: ['http://localhost:8080/v1/responses'],
  },
  'docs/migrating-from-ai-sdk-openai.md': {
    code: migrated,
    steps: [calls('list_allowed_directories'), calls('greet', { name: 'Ada' }), quotes],
    prints: ['They said: ', 'Allowed directories', 'Hello, Ada!'],
  },
};

describe('a piece of code that is shown', () => {
  it.concurrent.each(Object.entries(SNIPPETS))(
    'runs: %s',
    { timeout: PATIENCE_MS },
    async (_name, { code = '', steps, prints }) => {
      const compilerOptions = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 };
      const { outputText } = ts.transpileModule(forInstalled(code), { compilerOptions });
      await using server = await createScriptedServer({ steps });
      const env = { OPENAI_BASE_URL: server.baseURL, HOME: process.env['HOME'] ?? '' };
      const args = ['--import', 'tsx', '--input-type=module', '--eval', outputText];
      const finished = await runNode(args, { cwd: ROOT, env });
      expect(finished).toMatchObject({ code: 0, stderr: '' });
      for (const text of prints) expect(finished.stdout).toContain(text);
      expect(code).not.toBe('');
      server.assertDone();
    },
  );
});
