import type { Call } from '../core/call.js';
import type { Entry, Turn } from '../core/entry.js';
import type { JsonObject } from '../core/json.js';
import {
  KEPT_VERSION,
  type KeptCall,
  type KeptContent,
  type KeptEntry,
  type KeptLateOutput,
  type KeptMessage,
  type KeptOutput,
  type KeptTool,
} from '../core/kept-round.js';
import type { FileContent, TextContent, ToolOutput } from '../core/message.js';
import type { ToolDeclaration } from '../core/tool.js';
import type { SettledRound } from '../loop/loop-options.js';
import type { Observer } from '../observe/event.js';
import { notify } from '../observe/notify.js';
import { redactBody, redactUrl } from '../observe/redact.js';
import { defined } from '../util/defined.js';
import { asString } from '../util/guards.js';

/** The options that change an answer and bind no conversation, account or cache. Others are not kept. */
const KEPT_OPTIONS = [
  'instructions',
  'maxToolCalls',
  'parallelToolCalls',
  'reasoningEffort',
  'reasoningMode',
  'reasoningSummary',
  'serviceTier',
  'strictJsonSchema',
  'systemMessageMode',
  'textFormat',
  'textVerbosity',
  'truncation',
] as const;

export interface KeepOptions {
  readonly call: Call;
  readonly callNumber: number;
  readonly endpoint: { readonly url: string; readonly profile: { readonly name: string } };
  readonly limits: { readonly maxRounds: number; readonly maxToolCalls: number };
}

/** Returns a function that reports each round of a call to the observer, with outputs in full. */
export function keepRounds(observer: Observer, options: KeepOptions): (settled: SettledRound) => void {
  return ({ round, prompt, tools, texts, turns }) =>
    notify(observer, () => {
      const entries = turns.flatMap((turn) => ('entries' in turn ? turn.entries : []));
      const late = entries.flatMap(toLate);
      return {
        type: 'round-kept',
        callNumber: options.callNumber,
        round,
        version: KEPT_VERSION,
        ...(round === 0 && { call: toCall(options, prompt) }),
        tools: tools.map(toTool),
        ...defined({ texts }),
        content: entries.flatMap(toEntry),
        ...(late.length > 0 && { late }),
      };
    });
}

function toCall({ call, endpoint: { url, profile }, limits }: KeepOptions, prompt: readonly Turn[]): KeptCall {
  const { modelId, clientTools, hostedTools, toolChoice, settings, responseFormat, options } = call;
  const { maxRounds, maxToolCalls } = limits;
  const kept = KEPT_OPTIONS.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]] as const]));
  const continues = (options['previousResponseId'] ?? options['conversation'] ?? undefined) !== undefined;
  return {
    modelId,
    url: redactUrl(url),
    backend: profile.name,
    messages: prompt.flatMap(toMessage),
    clientTools: clientTools.map(toTool),
    serverTools: hostedTools.map(({ name }) => name),
    toolChoice,
    settings,
    responseFormat,
    // A copy of JSON without its secrets is JSON.
    options: redactBody(Object.fromEntries(kept)) as KeptCall['options'],
    maxRounds,
    // No number of JSON is infinite.
    ...(Number.isFinite(maxToolCalls) && { maxToolCalls }),
    ...(continues && { continues }),
  };
}

function toTool({ name, description, inputSchema, strict }: ToolDeclaration): KeptTool {
  return { name, inputSchema, ...defined({ description, strict }) };
}

function toMessage(turn: Turn): KeptMessage[] {
  // A system message without text changes settings.
  if (turn.role === 'system') return turn.text === '' ? [] : [{ role: 'system', text: turn.text }];
  if (turn.role === 'user') return [{ role: 'user', content: turn.content.map(toContent) }];
  const content = turn.entries.flatMap(toEntry);
  return content.length === 0 ? [] : [{ role: 'assistant', content }];
}

/** Reasoning is left out: another model cannot open it. */
function toEntry(entry: Entry): KeptEntry[] {
  switch (entry.type) {
    case 'text':
      return [{ type: 'text', text: entry.text }];
    case 'call': {
      const { callId, name, arguments: text, item } = entry.call;
      if (item !== undefined) return [{ type: 'item', item: typeOf(item) }];
      const output = entry.output && toOutput(entry.output);
      return [{ type: 'call', callId, name, arguments: text, ...defined({ output }) }];
    }
    case 'item':
      return [{ type: 'item', item: typeOf(entry.item) }];
    default:
      return [];
  }
}

function toLate(entry: Entry): KeptLateOutput[] {
  return entry.type === 'output' ? [{ callId: entry.result.callId, output: toOutput(entry.result.output) }] : [];
}

function typeOf({ type }: JsonObject): string {
  return asString(type) ?? 'unknown';
}

function toOutput({ isError, content }: ToolOutput): KeptOutput {
  return { ...(isError && { isError }), content: content.map(toContent) };
}

function toContent(part: TextContent | FileContent): KeptContent {
  if (part.type === 'text') return { type: 'text', text: part.text };
  const { mediaType, source, filename, detail } = part;
  const place = source.type === 'url' ? { ...source, url: redactUrl(source.url) } : source;
  return { type: 'file', mediaType, source: place, ...defined({ filename, detail }) };
}
