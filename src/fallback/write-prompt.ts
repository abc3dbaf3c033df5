import type { Call } from '../core/call.js';
import { callOfOutput, membersOfCall } from '../core/call-items.js';
import type { JsonObject } from '../core/json.js';
import { hostedName } from '../loop/tool-ownership.js';
import { defined } from '../util/defined.js';
import { asArray, asRecord, asRecords, asString, rowOf } from '../util/guards.js';
import { shortHash } from '../util/hash.js';
import { parseJson } from '../util/json.js';
import { callFamilyOf, outputFamilyOf } from '../stream/handlers/call-items.js';
import { toStockMembers } from '../sdk/prompt/call-members.js';
import { isSealedCompaction } from '../core/compaction.js';
import { COMPACTION } from '../sdk/parts/metadata.js';
import { readWireFile, type StockDialect } from './prompt-dialect.js';

export interface StockPromptOptions {
  readonly dialect: StockDialect;
  readonly call: Call;
  /** Under which names the stock provider looks for its options. */
  readonly names: readonly string[];
  /** The id of the item that holds a sealed reasoning: servers check that the two belong together. */
  readonly reasoningId: (sealed: string) => string | undefined;
  /** The server is asked to keep the items. */
  readonly isKept: boolean;
}

interface PromptMessage {
  readonly role: string;
  readonly content: string | object[];
  readonly providerOptions?: object;
}

type Item = Readonly<Record<string, unknown>>;

/**
 * The input of our own request as a prompt from which the stock provider makes the same request. It begins where our
 * repairs of the history end: calls have their outputs behind them, and reasoning leads up to something.
 */
export function toStockPrompt(
  input: readonly unknown[],
  options: StockPromptOptions,
): { readonly prompt: readonly object[]; readonly warnings: readonly string[] } {
  const writer = new PromptWriter(options);
  for (const item of asRecords(input)) {
    const type = asString(item['type']) ?? '';
    (rowOf(ITEMS, type) ?? writeOther)(item, writer);
  }
  return { prompt: writer.messages, warnings: [...writer.warnings] };
}

const ITEMS: Readonly<Record<string, (item: Item, writer: PromptWriter) => void>> = {
  message: (item, writer) => {
    const role = asString(item['role']) ?? '';
    if (role === 'assistant') writeAnswer(item, writer);
    else if (role === 'user') writer.add({ role, content: userContent(item, writer) });
    else writeSystem(item, writer);
  },
  reasoning: writeReasoning,
  function_call: (item, writer) => {
    const input = parseJson(asString(item['arguments']) ?? '');
    writer.call(String(item['call_id']), String(item['name']), input ?? {}, membersOf(item, writer));
  },
  function_call_output: (item, writer) => {
    const promptCacheBreakpoint = asRecord(asArray(item['output']).at(-1))?.['prompt_cache_breakpoint'];
    const { caller } = toStockMembers(membersOfCall(item));
    const options = writer.optionsFor(defined({ promptCacheBreakpoint, caller }));
    writer.result(String(item['call_id']), toolOutput(item['output'], writer), options);
  },
  mcp_approval_response: writeApprovalAnswer,
  configuration_update: (item, writer) => {
    const reasoningEffortUpdate = asRecord(item['reasoning'])?.['effort'];
    const textFormatUpdate = asRecord(item['text'])?.['format'];
    const options = defined({ reasoningEffortUpdate, textFormatUpdate });
    writer.add({ role: 'system', content: '', ...writer.optionsFor(options) });
  },
  additional_tools: ({ tools, role }, writer) => {
    // One that a server sent is its own affair.
    if (role === 'developer')
      writer.add({ role: 'system', content: '', ...writer.optionsFor({ additionalTools: tools }) });
  },
  // An option of the call says it.
  compaction_trigger: () => {},
};

/** The stock provider sends the answer alone: only a server that keeps the request knows what it is about. */
function writeApprovalAnswer(item: Item, writer: PromptWriter): void {
  if (writer.dialect.answersApprovals !== true) return writeOther(item, writer);
  const { approval_request_id: approvalId, approve: approved, reason } = item;
  writer.answered({ type: 'tool-approval-response', approvalId, approved, ...defined({ reason }) });
}

function writeSystem(item: Item, writer: PromptWriter): void {
  const parts = asRecords(item['content']);
  const text = parts.map((part) => asString(part['text']) ?? '').join('\n');
  writer.add({ role: 'system', content: text, ...markOf(parts.at(-1), writer) });
}

function writeAnswer(item: Item, writer: PromptWriter): void {
  const text = asRecords(item['content'])
    .map((part) => asString(part['text']) ?? '')
    .join('');
  writer.said({ type: 'text', text, ...writer.optionsFor(defined({ phase: item['phase'] })) });
}

/** Its sections are parts in a row that name the same item. */
function writeReasoning(item: Item, writer: PromptWriter): void {
  const sealed = asString(item['encrypted_content']);
  if (sealed === undefined) {
    writer.warn('Reasoning that is not sealed cannot be sent by the stock provider; it was left out.');
    return;
  }
  const texts = asRecords(item['summary']).map((part) => asString(part['text']) ?? '');
  if (writer.isKept) return writeNameless(texts, sealed, writer);
  const itemId = writer.reasoningId(sealed);
  const providerOptions = writer.optionsFor({ itemId, reasoningEncryptedContent: sealed });
  for (const text of texts.length === 0 ? [''] : texts) writer.said({ type: 'reasoning', text, ...providerOptions });
}

/** Where the server keeps items, the stock provider sends of one with an id nothing but the id, also if it was never kept. */
function writeNameless(texts: readonly string[], sealed: string, writer: PromptWriter): void {
  if (writer.dialect.sealNeedsId === true)
    return writer.warn('With "store: true" the stock provider cannot send earlier reasoning; it was left out.');
  const providerOptions = writer.optionsFor({ reasoningEncryptedContent: sealed });
  writer.said({ type: 'reasoning', text: texts.join('\n\n'), ...providerOptions });
}

/** Items of other kinds: calls of the caller's own tools have words of their own; what a server did by itself has none. */
function writeOther(item: Item, writer: PromptWriter): void {
  // It came from a server, or was made for one.
  const json = item as JsonObject;
  const type = String(item['type']);
  const call = UNSAYABLE.has(type) ? undefined : callFamilyOf(type);
  if (isSealedCompaction(json) && writer.dialect.writesCompaction === true) writer.said(compactionOf(json, writer));
  else if (call !== undefined)
    writer.call(String(item['call_id']), writer.nameOf(call.tool(json)), call.input(json), membersOf(item, writer));
  else if (!UNSAYABLE.has(type) && outputFamilyOf(type) !== undefined) writeOutput(type, json, writer);
  else writer.warn(`The stock provider cannot send an earlier ${type}; it was left out.`);
}

/** Not every version of the stock provider has words for these. */
const UNSAYABLE: ReadonlySet<string> = new Set(['tool_search_call', 'tool_search_output', 'program', 'program_output']);

function compactionOf({ id = '', encrypted_content: encryptedContent }: JsonObject, writer: PromptWriter): object {
  const options = { type: 'compaction', itemId: id, encryptedContent };
  return { type: 'custom', kind: COMPACTION, ...writer.optionsFor(options) };
}

/** What the caller returned; only the server may have its call. */
function writeOutput(type: string, item: JsonObject, writer: PromptWriter): void {
  const value = outputFamilyOf(type)?.result(item);
  const output = typeof value === 'string' ? { type: 'text', value } : { type: 'json', value };
  const kind = callFamilyOf(callOfOutput(type) ?? '')?.tool({});
  writer.result(asString(item['call_id']) ?? '', output, {}, kind);
}

function userContent(item: Item, writer: PromptWriter): object[] {
  return asRecords(item['content']).flatMap((part): object[] => {
    if (part['type'] === 'input_text')
      return [{ type: 'text', text: asString(part['text']) ?? '', ...markOf(part, writer) }];
    const file = readWireFile(part);
    if (file === undefined) {
      writer.warn(`The stock provider cannot send ${String(part['type'])}; it was left out.`);
      return [];
    }
    const { mediaType, source, filename, detail } = file;
    const mark = part['prompt_cache_breakpoint'];
    return [
      {
        type: 'file',
        mediaType,
        data: writer.dialect.toFileData(source),
        ...defined({ filename }),
        ...writer.optionsFor(defined({ imageDetail: detail, promptCacheBreakpoint: mark })),
      },
    ];
  });
}

function toolOutput(output: unknown, writer: PromptWriter): JsonObject {
  if (!Array.isArray(output)) return { type: 'text', value: asString(output) ?? JSON.stringify(output ?? '') };
  const value = asRecords(output).map((part): JsonObject => {
    if (part['type'] === 'input_text') return { type: 'text', text: asString(part['text']) ?? '' };
    const file = readWireFile(part);
    const inline = file === undefined ? undefined : writer.dialect.toResultFile(file);
    if (inline !== undefined) return inline;
    writer.warn("The stock provider cannot send a tool's file that is not inline; its place was named instead.");
    return {
      type: 'text',
      text: `[file: ${asString(part['image_url']) ?? asString(part['file_url']) ?? asString(part['file_id']) ?? 'unknown'}]`,
    };
  });
  return { type: 'content', value };
}

/** What else the server said of a call. */
function membersOf(item: Item, writer: PromptWriter): { readonly providerOptions?: object } {
  return writer.optionsFor(toStockMembers(membersOfCall(item)));
}

function markOf(part: Item | undefined, writer: PromptWriter): { readonly providerOptions?: object } {
  return writer.optionsFor(defined({ promptCacheBreakpoint: part?.['prompt_cache_breakpoint'] }));
}

/** Parts in a row by the same side are one message. */
class PromptWriter {
  readonly messages: PromptMessage[] = [];
  readonly warnings = new Set<string>();
  readonly #options: StockPromptOptions;
  /** Results name their tool again. */
  readonly #names = new Map<string, string>();

  constructor(options: StockPromptOptions) {
    this.#options = options;
  }

  get dialect(): StockDialect {
    return this.#options.dialect;
  }

  get isKept(): boolean {
    return this.#options.isKept;
  }

  warn(message: string): void {
    this.warnings.add(message);
  }

  optionsFor(options: object): { readonly providerOptions?: object } {
    if (Object.keys(options).length === 0) return {};
    return { providerOptions: Object.fromEntries(this.#options.names.map((name) => [name, options])) };
  }

  /** A server that gave no id does not look for one, but the stock provider does. */
  reasoningId(sealed: string): string {
    return this.#options.reasoningId(sealed) ?? `rs_${shortHash(sealed)}`;
  }

  /** The caller's name for a kind of tool. */
  nameOf(tool: string): string {
    return hostedName(tool, this.#options.call) ?? tool;
  }

  add(message: PromptMessage): void {
    if (message.content !== '' || message.role === 'system') this.messages.push(message);
  }

  said(part: object): void {
    this.#append('assistant', part);
  }

  call(toolCallId: string, toolName: string, input: unknown, providerOptions: object): void {
    this.#names.set(toolCallId, toolName);
    this.said({ type: 'tool-call', toolCallId, toolName, input, ...providerOptions });
  }

  /** `kind`: names the tool where the call is not in the prompt. */
  result(toolCallId: string, output: object, providerOptions: object, kind?: string): void {
    const toolName = this.#names.get(toolCallId) ?? (kind === undefined ? '' : this.nameOf(kind));
    this.#append('tool', { type: 'tool-result', toolCallId, toolName, output, ...providerOptions });
  }

  answered(part: object): void {
    this.#append('tool', part);
  }

  #append(role: string, part: object): void {
    const last = this.messages.at(-1);
    if (last?.role === role && Array.isArray(last.content)) last.content.push(part);
    else this.messages.push({ role, content: [part] });
  }
}
