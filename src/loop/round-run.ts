import type { CarriedCall } from '../core/carrier.js';
import type { Message } from '../core/message.js';
import type { CallPart, CallToolResult, ContentPart, RoundPart, RoundResult, RoundToolCall } from '../core/part.js';
import type { RoundIds } from '../core/round.js';
import { parseToolArguments } from '../tools/parse-tool-arguments.js';
import { CarrierWriter } from './carrier-writer.js';
import type { LoopOptions } from './loop-options.js';
import { PreambleFilter } from './preamble.js';
import { type Ownership, ownershipOf } from './tool-ownership.js';
import { ToolRunner } from './tool-runner.js';

/** One round as the loop sees it: its parts on their way out, its calls, and what it adds to the conversation. */
export class RoundRun {
  readonly tools: ToolRunner;
  readonly clientCalls: RoundToolCall[] = [];
  result: RoundResult | undefined;
  readonly #options: LoopOptions;
  readonly #ids: RoundIds;
  readonly #preamble: PreambleFilter;
  readonly #carriers = new CarrierWriter();

  constructor(options: LoopOptions, round: { readonly index: number; readonly closing: boolean }, ids: RoundIds) {
    const { call, offer } = options;
    this.#options = options;
    this.#ids = ids;
    this.tools = new ToolRunner(options, round.index);
    this.#preamble = new PreambleFilter({
      mode: options.preamble,
      json: call.responseFormat.type === 'json',
      mayCall: !round.closing && offer.tools.length + call.clientTools.length > 0,
    });
  }

  /** Turns a batch of round parts into what the caller sees; starts tools that may start early. */
  take(batch: readonly RoundPart[]): CallPart[] {
    return this.#carriers.pass(batch.flatMap((part) => this.#translate(part)));
  }

  /** A result on its way out; hidden ones stay inside until the carrier takes them. */
  show(result: CallToolResult): CallPart[] {
    return this.#options.shows(result.name) ? [result] : [];
  }

  /** The round was read: with nothing hidden in it, there is nothing to hold a part back for. */
  read(): CallPart[] {
    return this.#options.carrier && this.tools.calls().some((call) => !this.#options.shows(call.name))
      ? []
      : this.#carriers.release();
  }

  /** The round is settled: whatever was not shown travels in a carrier. */
  settle(): CallPart[] {
    const hidden = this.#options.carrier ? this.#hiddenCalls() : [];
    return this.#carriers.carry(hidden, () => this.#ids.partId(this.result?.responseId, 'carrier'));
  }

  /** What the next request has to hold: the round's items and the outputs of our calls. */
  messages(): Message[] {
    const content = this.result?.content ?? [];
    const outputs = this.tools.outputs().map(({ call, output }) => ({ type: 'tool-result', callId: call.callId, output }) as const);
    const assistant: Message = { role: 'assistant', content };
    return outputs.length === 0 ? [assistant] : [assistant, { role: 'tool', content: outputs }];
  }

  #translate(part: RoundPart): CallPart[] {
    switch (part.type) {
      case 'round-end':
        this.result = part.result;
        return this.#preamble.end();
      case 'text-start':
      case 'text-delta':
      case 'text-end':
        return this.#preamble.text(part);
      case 'tool-input-start':
        return [...this.#preamble.call(), ...this.#toolInput(part)];
      case 'tool-input-delta':
      case 'tool-input-end':
        return this.#toolInput(part);
      case 'tool-call':
        return [...this.#preamble.call(), ...this.#toolCall(part)];
      default:
        return [part satisfies ContentPart];
    }
  }

  readonly #inputs = new Map<string, Ownership & { readonly shown: boolean }>();

  #toolInput(part: Extract<RoundPart, { type: 'tool-input-start' | 'tool-input-delta' | 'tool-input-end' }>): CallPart[] {
    if (part.type === 'tool-input-start') {
      const owner = ownershipOf(part.name, this.#options.call, this.#options.offer);
      this.#inputs.set(part.callId, { ...owner, shown: this.#shows(part.name, owner) });
    }
    const input = this.#inputs.get(part.callId);
    if (input?.shown !== true) return [];
    return [part.type === 'tool-input-start' ? { ...part, origin: input.origin } : part];
  }

  #toolCall(call: RoundToolCall): CallPart[] {
    const owner = ownershipOf(call.name, this.#options.call, this.#options.offer);
    if (owner.origin === 'client') {
      this.clientCalls.push(call);
      return [toCallPart(call, 'client', clientInput(call.arguments))];
    }
    this.tools.add(call, owner.tool);
    return this.#shows(call.name, owner) ? [toCallPart(call, 'loop', loopInput(call.arguments))] : [];
  }

  #shows(name: string, owner: Ownership): boolean {
    return owner.origin === 'client' || this.#options.shows(name);
  }

  #hiddenCalls(): CarriedCall[] {
    return this.tools
      .outputs()
      .filter(({ call }) => !this.#options.shows(call.name))
      .map(({ call, output }) => ({ callId: call.callId, name: call.name, arguments: call.arguments, output }));
  }
}

function toCallPart(
  call: RoundToolCall,
  origin: 'loop' | 'client',
  input: { readonly input: string; readonly rawInput?: string },
): CallPart {
  const { arguments: _arguments, ...rest } = call;
  return { ...rest, ...input, origin };
}

/** `ai` 5 turns a call whose input does not parse into a call for the client, and asks the model again. */
function loopInput(text: string): { readonly input: string; readonly rawInput?: string } {
  const parsed = parseToolArguments(text);
  if (!parsed.ok) return { input: '{}', rawInput: text };
  return { input: text.trim() === '' ? '{}' : JSON.stringify(parsed.arguments) };
}

/** The SDK handles broken input of its own tools; only "no arguments" is spelt out for it. */
function clientInput(text: string): { readonly input: string } {
  return { input: text.trim() === '' ? '{}' : text };
}
