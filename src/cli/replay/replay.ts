import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { replayEvents } from '../../runs/replay-events.js';
import { showControls } from '../../util/control-characters.js';
import { createResponsesProvider } from '../../v4.js';
import { type Command, type Terminal, UsageError } from '../command.js';
import { printJson } from '../print-json.js';
import { hasKeyHeader, readServer, type Server, SERVER_OPTIONS } from '../server-options.js';
import { reportOf } from './report.js';

const HELP = `Usage: npx responses-loop replay FILE [options]

Replays the calls that recordEvents(FILE, { outputs: 'full' }) has recorded. Tool outputs
come from the record: no tool runs, and no file is written. Shows the first difference,
both answers side by side, tokens and time.

  FILE                the recorded events
  --base-url URL      another server (default: that of each recorded call)
  -m, --model NAME    another model (default: that of each recorded call)
  --call NUMBER       replay only this call, counted from 1; repeatable
  --answers same|any  any: compare only calls and ends, not the wording
                      (default same)
  --api-key-env NAME  the environment variable with the key. Without it,
                      OPENAI_API_KEY is sent to OpenAI and to --base-url, but
                      to no other server that FILE names
  --header NAME=VALUE a header for every request; repeatable
  --json              print JSON

Exit codes: 0 every call matched the recording, 1 at least one differed.

Examples:
  npx responses-loop replay refund.jsonl
  npx responses-loop replay refund.jsonl -m gpt-5.1-mini --answers any
  npx responses-loop replay refund.jsonl --base-url http://127.0.0.1:8080/v1 -m qwen3
`;

const OPTIONS = {
  ...SERVER_OPTIONS,
  call: { type: 'string', multiple: true },
  answers: { type: 'string' },
  json: { type: 'boolean' },
} as const;

export const replay: Command = { help: HELP, run };

async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options: OPTIONS });
  const [given, ...more] = positionals;
  if (given === undefined)
    throw new UsageError("Missing file. Record one with recordEvents('events.jsonl', { outputs: 'full' }).");
  if (more.length > 0) throw new UsageError(`One file at a time: ${showControls(more.join(' '))} is one too many.`);
  const isStrict = readAnswers(values.answers);
  const server = readServer(values, terminal.env);
  const keys = keysFor(server, values['api-key-env'] !== undefined || values['base-url'] !== undefined);
  const replayed = await replayEvents(resolve(terminal.cwd, given), {
    model: server.model,
    baseURL: values['base-url'] === undefined ? undefined : server.baseURL,
    calls: readNumbers(values.call),
    signal: terminal.signal,
    provider: (settings) =>
      createResponsesProvider({ ...settings, ...keys(settings.baseURL), headers: server.headers }),
    onCall: ({ number, modelId, url }) =>
      terminal.stderr.write(`Call ${number}: asking ${showControls(modelId)} at ${showControls(url)}\n`),
  });
  const report = reportOf(replayed, { isStrict, columns: terminal.stdout.columns ?? 80 });
  const { calls, skipped, oddLines } = replayed;
  terminal.stdout.write(values.json === true ? printJson({ calls, skipped, oddLines }) : report.text);
  return report.isSame ? 0 : 1;
}

function readAnswers(given = 'same'): boolean {
  if (given !== 'same' && given !== 'any') throw new UsageError('--answers: write same or any.');
  return given === 'same';
}

function readNumbers(given: readonly string[] | undefined): readonly number[] | undefined {
  const wrong = given?.find((text) => !/^[1-9]\d{0,8}$/.test(text));
  if (wrong !== undefined) throw new UsageError('--call: write the number of a call, counted from 1.');
  return given?.map(Number);
}

/** A record from others may name any server, and must not be able to send it a key of this machine. */
function keysFor(
  server: Server,
  isMeant: boolean,
): (url: string) => { readonly apiKey: readonly string[] } | { readonly auth: 'none' } {
  const { apiKeys } = server;
  return (url) => {
    const isOpenAI = URL.canParse(url) && new URL(url).origin === 'https://api.openai.com';
    if ((isMeant || isOpenAI) && apiKeys.length > 0) return { apiKey: apiKeys };
    if (isOpenAI && !hasKeyHeader(server))
      throw new UsageError('No key for OpenAI: set OPENAI_API_KEY, or name another variable with --api-key-env.');
    return { auth: 'none' };
  };
}
