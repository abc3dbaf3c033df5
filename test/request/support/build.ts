import { readApprovals } from '../../../src/loop/read-approvals.js';
import type { Turn } from '../../../src/core/entry.js';
import { KnownItems } from '../../../src/history/known-items.js';
import { pair } from '../../../src/history/pair.js';
import type { JsonObject, JsonValue } from '../../../src/core/json.js';
import type { Message } from '../../../src/core/message.js';
import type { Profile } from '../../../src/core/profile.js';
import type { ToolDeclaration } from '../../../src/core/tool.js';
import { type AnyCallOptions, fromCallOptions } from '../../../src/sdk/prompt/from-call-options.js';
import { type CallWarning, warningText } from '../../../src/core/warning.js';
import { createRequestBuilder } from '../../../src/request/build-request.js';
import { PROFILES, type ProfileName } from '../../../src/request/profiles.js';
import { defined } from '../../../src/util/defined.js';

export interface BuildOptions extends Partial<AnyCallOptions> {
  readonly modelId?: string;
  readonly backend?: ProfileName | Profile;
  readonly origin?: string;
  readonly overrides?: readonly JsonObject[];
  readonly defaults?: JsonObject;
  /** What earlier rounds of the call added. */
  readonly added?: readonly Message[];
  readonly loopTools?: readonly ToolDeclaration[];
  readonly closing?: boolean;
  readonly stream?: boolean;
  /** As AI SDK 7 has it. Default `false`. */
  readonly asksForSummary?: boolean;
  /** The name the provider goes by. */
  readonly name?: string;
}

export interface Built {
  readonly body: JsonObject;
  readonly input: JsonObject[];
  /** In words. */
  readonly warnings: readonly string[];
  readonly rawWarnings: readonly CallWarning[];
}

export const user = (text: string): object => ({ role: 'user', content: [{ type: 'text', text }] });

/** The body of a round, made from call options as the AI SDK gives them, and all warnings on the way. */
export function build(options: BuildOptions): Built {
  const { backend = 'openai', added = [], loopTools = [], stream = true } = options;
  const profile = typeof backend === 'string' ? PROFILES[backend] : backend;
  const { call, warnings } = fromCallOptions(
    options.modelId ?? 'gpt-test',
    { prompt: [user('Hi')], ...options },
    { stream, profile, ...defined({ asksForSummary: options.asksForSummary, name: options.name }) },
  );
  const prompt = readApprovals(call.messages).turns;
  const builder = createRequestBuilder({
    call,
    profile,
    overrides: options.overrides ?? [],
    defaults: options.defaults ?? {},
    ...(options.origin === undefined ? {} : { origin: options.origin }),
  });
  const body = builder.build({
    index: 0,
    prompt,
    added: pairRounds(prompt, added),
    tools: [...loopTools, ...call.clientTools],
    toolChoice: call.toolChoice,
    closing: options.closing ?? false,
  });
  const rawWarnings = [...warnings, ...builder.warnings];
  return { body, input: body['input'] as JsonObject[], warnings: rawWarnings.map(warningText), rawWarnings };
}

/** The turns of each round behind a prompt; a round begins with what the model said. */
export function pairRounds(prompt: readonly Turn[], messages: readonly Message[]): (readonly Turn[])[] {
  const rounds: Message[][] = [];
  for (const message of messages) {
    const last = rounds.at(-1);
    if (last === undefined || message.role === 'assistant') rounds.push([message]);
    else last.push(message);
  }
  const known = new KnownItems(prompt);
  return rounds.map((round) => pair(round, { known }));
}

/** The input items of a prompt. */
export function inputOf(prompt: readonly unknown[], options: Omit<BuildOptions, 'prompt'> = {}): JsonObject[] {
  return build({ ...options, prompt }).input;
}

/** A line per item, for tests that are about order. */
export function outline(input: readonly JsonObject[]): string[] {
  return input.map((item) => {
    if (item['type'] === 'message') return `${wordOf(item['role'])}: ${textOf(item)}`;
    if (item['type'] === 'function_call') return `call ${wordOf(item['call_id'])}`;
    if (item['type'] === 'function_call_output') return `output ${wordOf(item['call_id'])}: ${wordOf(item['output'])}`;
    return wordOf(item['type']);
  });
}

function textOf(item: JsonObject): string {
  return (item['content'] as { text?: string }[]).map((part) => part.text ?? '').join('|');
}

function wordOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
