import {
  createScriptedServer,
  errorReply,
  responseEvents,
  type ResponseDescription,
  type ScriptedReply,
  type ScriptedRequest,
  type ScriptedServer,
} from 'responses-loop/testing';

type Output = NonNullable<ResponseDescription['output']>[number];
type Item = ScriptedRequest['input'][number];

export interface ScriptedModel {
  readonly baseURL: string;
  readonly server: ScriptedServer;
  /** What was wrong with requests: calls without outputs, outputs without calls, two of the same. */
  readonly problems: string[];
  readonly requests: ScriptedRequest[];
  close(): Promise<void>;
}

export interface ScriptedModelOptions {
  /** Before each event. */
  readonly delayMs?: number;
  /** Has the first word on a request. */
  readonly answer?: (request: ScriptedRequest) => ScriptedReply | undefined | Promise<ScriptedReply | undefined>;
}

/**
 * A model that does what the last message says: `call NAME {…}` a line, all in one round, behind which it says what came of
 * them; `fail 429`; anything else it repeats.
 */
export async function startScriptedModel({ delayMs = 0, answer }: ScriptedModelOptions = {}): Promise<ScriptedModel> {
  const problems: string[] = [];
  const requests: ScriptedRequest[] = [];
  const server = await createScriptedServer({
    otherwise: async (request): Promise<ScriptedReply> => {
      requests.push(request);
      problems.push(...problemsOf(request));
      const own = await answer?.(request);
      if (own !== undefined) return own;
      const said = lastOf(request.input, 'user');
      const [, status] = /^fail (\d+)$/.exec(said.text) ?? [];
      if (status !== undefined) return errorReply({ status: Number(status), message: `Refused with ${status}.` });
      return {
        events: responseEvents({ id: `resp_${request.index}`, output: outputOf(request, said), usage: USAGE }),
        delayMs,
      };
    },
  });
  return { baseURL: server.baseURL, server, problems, requests, close: () => server.close() };
}

const USAGE = { input_tokens: 10, output_tokens: 5, total_tokens: 15 };

function outputOf({ input, index }: ScriptedRequest, said: Said): Output[] {
  const outputs = input.slice(said.at + 1).filter(({ type }) => type === 'function_call_output');
  if (outputs.length > 0) {
    return [{ type: 'text', text: words(`Done: ${outputs.map((item) => textOfItem(item['output'])).join(' | ')}`) }];
  }
  const calls = [...said.text.matchAll(/^call ([\w-]+) (.*)$/gm)];
  if (calls.length === 0) return [{ type: 'text', text: words(`You said: ${said.text}`) }];
  const before: Output[] = /^think\b/.test(said.text)
    ? [{ type: 'text', text: words('Let me see what there is.') }]
    : [];
  return [
    ...before,
    ...calls.map(([, name = '', args = '{}'], n): Output => ({
      type: 'call',
      callId: `call_${index}_${n}`,
      name,
      arguments: args,
    })),
  ];
}

interface Said {
  readonly text: string;
  readonly at: number;
}

function lastOf(input: readonly Item[], role: string): Said {
  const at = input.findLastIndex((item) => item['role'] === role);
  return { text: textOfItem(input[at]?.['content']), at };
}

export function textOfItem(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map((part: { text?: string }) => part.text ?? '').join('');
  return JSON.stringify(value) ?? '';
}

/** In deltas of a word each, so that it streams. */
function words(text: string): string[] {
  return text.match(/\S+\s*|\s+/g) ?? [];
}

function problemsOf({ input, index }: ScriptedRequest): string[] {
  const problems: string[] = [];
  const open = new Set<string>();
  const seen = new Set<string>();
  for (const item of input) {
    const id = JSON.stringify(item['call_id']);
    if (item['type'] === 'function_call') {
      if (seen.has(id)) problems.push(`request ${index}: call ${id} comes twice`);
      seen.add(id);
      open.add(id);
    } else if (item['type'] === 'function_call_output' && !open.delete(id)) {
      problems.push(`request ${index}: output ${id} has no call, or is the second`);
    }
  }
  if (open.size > 0) problems.push(`request ${index}: ${[...open].join(', ')} have no output`);
  return problems;
}
