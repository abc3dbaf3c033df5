import { randomBytes } from 'node:crypto';
import { createScriptedServer, responseEvents, type ScriptedServer } from 'responses-loop/testing';

/** What a turn is to do, as the text of its message: `Turn <name> look put|look` has two rounds with tools, then a text. */
const PLAN = /Turn ([^\s"]+)((?: [\w|]+)*)/;

export interface ModelOptions {
  /** Between two events of an answer. */
  readonly eventMs: number;
  /** How long a tool runs. */
  readonly toolMs: number;
  readonly words: number;
}

export interface PlayedModel extends Pick<ScriptedServer, 'baseURL' | 'close'> {
  /** How often each turn was asked about. */
  readonly asked: ReadonlyMap<string, number>;
}

/** A model that works off the plan of the last message, in other words and with other ids each time that it is asked. */
export async function startModel({ eventMs, toolMs, words }: ModelOptions): Promise<PlayedModel> {
  const asked = new Map<string, number>();
  const server = await createScriptedServer({
    otherwise: (request) => {
      const said = request.input.findLastIndex((item) => item['role'] === 'user');
      const [, turn = '?', plan = ''] = PLAN.exec(JSON.stringify(request.input[said])) ?? [];
      asked.set(turn, (asked.get(turn) ?? 0) + 1);
      const rounds = plan.trim() === '' ? [] : plan.trim().split(' ');
      const id = randomBytes(8).toString('hex');
      const done = request.input.slice(said).filter(({ type }) => type === 'function_call_output').length;
      const round = roundOf(rounds, done);
      const text = `${round === undefined ? 'Done' : 'Now'} ${Array.from({ length: words }, () => word()).join(' ')}. `;
      const calls = (round ?? []).map((name, at) => ({
        ...{ type: 'call' as const, name, callId: `call_${id}_${at}` },
        // A tool keeps the id that it reads in its arguments: not each server hands on that of the call.
        arguments: { turn, ms: toolMs, call: `call_${id}_${at}` },
      }));
      const end = round === undefined ? `Turn ${turn} is done.` : '';
      const output = [{ type: 'text' as const, text: text + end }, ...calls];
      return { events: responseEvents({ id: `resp_${id}`, output }), delayMs: eventMs };
    },
  });
  return { baseURL: server.baseURL, close: () => server.close(), asked };
}

/** The calls that come after so many outputs. */
function roundOf(rounds: readonly string[], outputs: number): readonly string[] | undefined {
  let before = 0;
  for (const round of rounds) {
    const names = round.split('|');
    if (outputs < before + names.length) return names;
    before += names.length;
  }
  return undefined;
}

function word(): string {
  return randomBytes(3).toString('hex');
}
