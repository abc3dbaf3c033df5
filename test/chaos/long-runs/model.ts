import {
  encodeEvent,
  errorReply,
  type OutputDescription,
  responseBody,
  responseEvents,
  type ScriptedAnswer,
  type ScriptedRequest,
} from 'responses-loop/testing';
import { KEPT_BACK, type LongRun, type Move, type Round } from './scenario.js';

export const SLOW = 'slow';
export const keptName = (number: number): string => `kept_tool_${'abcdefgh'[number] ?? 'x'}`;
/** The text that an output is cut out of. */
export const logText = (marker: string, chars: number): string => {
  const lines = Array.from({ length: Math.ceil(chars / 20) }, (_, at) => `line ${at} of ${marker}`);
  return `<${marker}>${lines.join('\n').padEnd(chars, '.').slice(0, chars)}`;
};

/** A call that the model made. */
export interface MadeCall {
  readonly callId: string;
  readonly name: string;
  readonly move: Move;
  /** The request that it was made for. */
  readonly request: number;
  readonly turn: number;
}

/** Plays the model: what it calls depends on what it has read. */
export class LongRunModel {
  readonly requests: ScriptedRequest[] = [];
  readonly made: MadeCall[] = [];
  /** Is told of each request before it is answered. */
  onRequest: ((at: number) => void) | undefined;
  /** Requests whose answer leaves the loop nothing to do but wait. */
  readonly waitsAt = new Set<number>();
  readonly #scenario: LongRun;
  #left: Round[] = [];
  #turn = -1;

  constructor(scenario: LongRun) {
    this.#scenario = scenario;
  }

  nextTurn(): void {
    this.#turn += 1;
    this.#left = [...(this.#scenario.turns[this.#turn] ?? [])];
  }

  answer(request: ScriptedRequest): ScriptedAnswer {
    const at = this.requests.push(request) - 1;
    const mayCall = request.body['tool_choice'] !== 'none';
    const round = mayCall ? this.#left.shift() : undefined;
    const output =
      round?.kind === 'calls' ? round.calls.map((move, nth) => this.#call(move, request, `${at}_${nth}`)) : [];
    // Without another call the loop waits for open ones, and no further request could end them.
    if (!output.some(({ type }) => type === 'call')) this.waitsAt.add(at);
    this.onRequest?.(at);
    if (round?.kind === 'fails') return errorReply({ status: round.status, code: 'server_error', message: 'No.' });
    if (round?.kind === 'breaks') return broken(at, round.after, request);
    return {
      id: `resp_${at}`,
      output: output.length === 0 ? [{ type: 'text', text: `Said for request ${at}.` }] : output,
    };
  }

  #call(move: Move, { input }: ScriptedRequest, place: string): OutputDescription {
    const callId = `call_${place}`;
    const [name, args] = this.#asked(move, JSON.stringify(input), callId);
    this.made.push({ callId, name, move, request: this.requests.length - 1, turn: this.#turn });
    if (name !== SLOW) return { type: 'call', name, arguments: args, callId };
    const item = { id: `fc_${place}`, type: 'function_call', status: 'completed', call_id: callId, name };
    return { type: 'item', item: { ...item, arguments: JSON.stringify(args), async: true } };
  }

  #asked(
    move: Move,
    read: string,
    callId: string,
  ): readonly [name: string, args: Record<string, string | number | boolean>] {
    if (move.call === 'log') return ['log', { marker: callId, chars: move.chars, isError: move.isError }];
    if (move.call === 'search')
      return ['search_tools', { query: move.word < KEPT_BACK ? keptName(move.word) : 'nothing like it' }];
    if (move.call === 'kept') return [keptName(move.number), { marker: callId }];
    if (move.call === 'slow') return [SLOW, { marker: callId }];
    if (move.call === 'quick') return ['quick', { marker: callId }];
    const ids = [...new Set([...read.matchAll(/out_\w+/g)].map(([id]) => id))];
    const id = move.forged || ids.length === 0 ? 'out_0123456789abcdef' : (ids[move.which % ids.length] ?? '');
    return ['read_output', { id, from: move.from * 40, to: move.to * 40 + 1 }];
  }
}

/** Part of a text, and then nothing; without a stream part of the body. */
function broken(at: number, after: number, request: ScriptedRequest): ScriptedAnswer {
  const text = 'These are words that the model wrote before the line broke off.';
  const response = { id: `resp_${at}`, output: [{ type: 'text' as const, text: text.split('') }] };
  if (request.body['stream'] !== true)
    return {
      bytes: JSON.stringify(responseBody(response)).slice(0, 40 + after),
      headers: { 'content-type': 'application/json' },
      ending: 'reset',
    };
  const events = responseEvents(response).slice(0, 4 + after);
  return {
    bytes: events.map((event) => encodeEvent(event)).join(''),
    headers: { 'content-type': 'text/event-stream' },
    ending: 'reset',
  };
}
