import { parseArgs } from 'node:util';

export const HELP = `Usage: npm run demo -- [options] [question]

Asks a question whose answer lies in a file. The provider runs the tools of two MCP servers to find it.
Without options, a small stand-in for a model server answers; no key and no network are needed.

  --base-url URL   ask a live server, such as http://localhost:8080/v1 (needs --model)
  --model NAME     the model to ask
  --api-key KEY    the key for that server; for OpenAI, OPENAI_API_KEY is read too
  --stand-in       use the stand-in even if OPENAI_API_KEY is set
  --help           this text

With OPENAI_API_KEY set and no --base-url, OpenAI is asked.
Exit code: 0 if an answer came, else 1. Without a question of yours, the stand-in's also has to hold the token.`;

export interface DemoOptions {
  readonly question: string | undefined;
  /** Absent: the stand-in answers. */
  readonly live: LiveServer | undefined;
}

export interface LiveServer {
  /** Absent: OpenAI. */
  readonly baseURL: string | undefined;
  readonly apiKey: string | undefined;
  readonly model: string;
}

const OPENAI_MODEL = 'gpt-5.1';

/**
 * Reads the command line. `undefined`: help was asked for.
 *
 * @throws Error with a sentence for the person who typed it.
 */
export function readOptions(args: readonly string[], env: NodeJS.ProcessEnv): DemoOptions | undefined {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      'base-url': { type: 'string' },
      model: { type: 'string' },
      'api-key': { type: 'string' },
      'stand-in': { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return undefined;
  const question = positionals.join(' ').trim();
  const { 'base-url': baseURL, 'api-key': apiKey, model } = values;
  const isLive = (baseURL ?? apiKey ?? env['OPENAI_API_KEY']) !== undefined;
  if (!isLive && model !== undefined) throw new Error('--model needs --base-url or an API key: which server has it?');
  if (baseURL !== undefined && model === undefined) {
    throw new Error('--base-url needs --model: which model of that server?');
  }
  return {
    question: question === '' ? undefined : question,
    live: isLive && !values['stand-in'] ? { baseURL, apiKey, model: model ?? OPENAI_MODEL } : undefined,
  };
}
