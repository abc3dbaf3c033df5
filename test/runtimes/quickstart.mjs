import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const readme = new URL('../../README.md', import.meta.url);
const ANSWER = 'pond.txt mentions ducks.';

/** The first program of README, pasted and started as it says there. It may print its answer, and nothing else. */
export async function runQuickstart(node, testing, { folder, ai }) {
  const server = await testing.createScriptedServer({
    steps: [{ output: [{ type: 'call', name: 'search_files', arguments: { path: '.', pattern: '*' } }] }, ANSWER],
  });
  try {
    writeFileSync(join(folder, 'first.mjs'), firstProgram(ai));
    const env = {
      PATH: `${dirname(node)}${delimiter}${process.env.PATH}`,
      HOME: process.env.HOME,
      ...certificates(),
      OPENAI_API_KEY: 'sk-test',
      OPENAI_BASE_URL: server.baseURL,
    };
    const { stdout, stderr } = await run(node, ['first.mjs'], { cwd: folder, env, timeout: 90_000 });
    const output = server.requests.at(-1)?.input.at(-1)?.output;
    return [
      check('prints its answer and nothing else', stdout + stderr === ANSWER, stdout + stderr),
      check('asks the MCP server', String(output).includes('first.mjs'), JSON.stringify(output)),
    ];
  } catch (error) {
    return [check('ends by itself', false, error.stack)];
  } finally {
    await server.close();
  }
}

function firstProgram(ai) {
  const [, block] = /## Install\n[^]*?```ts\n([^]*?)```/.exec(readFileSync(readme, 'utf8')) ?? [];
  if (!block?.includes("'responses-loop/ai6'")) throw new Error('README has no first program for AI SDK 6.');
  return block.replace("'responses-loop/ai6'", `'responses-loop/ai${ai}'`);
}

/** Node's own builds do not know the certificates that a company put into the system. */
function certificates() {
  const { NODE_EXTRA_CA_CERTS } = process.env;
  return NODE_EXTRA_CA_CERTS === undefined ? {} : { NODE_EXTRA_CA_CERTS };
}

function check(name, ok, error) {
  return { name: `README's first program ${name}`, ok, error };
}
