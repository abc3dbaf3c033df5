import type { Call } from '../core/call.js';
import { membersOfCall } from '../core/call-items.js';
import type { JsonObject } from '../core/json.js';
import type { FileContent, UserContent } from '../core/message.js';
import { hostedTool } from '../loop/fate.js';
import { defined } from '../util/defined.js';
import { asArray, asRecord, asRecords, asString, rowOf } from '../util/guards.js';
import { shortHash } from '../util/hash.js';
import { parseJson } from '../util/json.js';
import { answeredKind, callKind, toolOf } from '../items/kinds.js';
import { toVendorMembers } from '../sdk/prompt/call-members.js';
import { isSealedCompaction } from '../core/compaction.js';
import { COMPACTION } from '../sdk/parts/metadata.js';
import { readWireFile } from '../sdk/prompt/read-file.js';
import { filenameOf, isImage, mediaTypeOf } from '../request/convert-content.js';
import { sourceOf } from '../request/item-sources.js';
import type { StockDialect } from './prompt-dialect.js';

export interface StockPromptOptions {
  readonly dialect: StockDialect;
  readonly call: Call;
  /** Names under which the stock provider reads its options. */
  readonly names: readonly string[];
  /** Whether the server keeps the items of this call. */
  readonly isKept: boolean;
}

interface PromptMessage extends Annotated {
  readonly role: string;
  readonly content: string | object[];
}

interface Annotated {
  readonly providerOptions?: object;
}

type Item = Readonly<Record<string, unknown>>;

/**
 * Writes a prompt from which the stock provider makes the primary's request. The items decide its content, because they
 * contain the repaired and shortened history. System and user messages are the caller's own.
 */
export function toStockPrompt(
  input: readonly unknown[],
  options: StockPromptOptions,
): { readonly prompt: readonly object[]; readonly warnings: readonly string[] } {
  const writer = new PromptWriter(options);
  for (const item of asRecords(input)) writer.write(item);
  return { prompt: writer.messages, warnings: [...writer.warnings] };
}

/** Joins parts of one role in a row to one message. */
class PromptWriter {
  readonly messages: PromptMessage[] = [];
  readonly warnings = new Set<string>();
  readonly #options: StockPromptOptions;
  /** Names of tools by call id, for results. */
  readonly #names = new Map<string, string>();

  constructor(options: StockPromptOptions) {
    this.#options = options;
  }

  write(item: Item): void {
    const known = rowOf(this.#writers, asString(item['type']) ?? '');
    if (known === undefined) this.#other(item);
    else known(item);
  }

  readonly #writers: Readonly<Record<string, (item: Item) => void>> = {
    message: (item) => this.#message(item),
    reasoning: (item) => this.#reasoning(item),
    function_call: (item) => {
      const input = parseJson(asString(item['arguments']) ?? '');
      this.#call(item, String(item['name']), input ?? {});
    },
    function_call_output: (item) => {
      const promptCacheBreakpoint = asRecord(asArray(item['output']).at(-1))?.['prompt_cache_breakpoint'];
      const { caller } = toVendorMembers(membersOfCall(item));
      this.#result(item, this.#toolOutput(item['output']), '', { promptCacheBreakpoint, caller });
    },
    mcp_approval_response: (item) => {
      // The stock provider sends the answer without its request, which only the server may have.
      if (this.#options.dialect.answersApprovals !== true) return this.#other(item);
      const { approval_request_id: approvalId, approve: approved, reason } = item;
      this.#append('tool', { type: 'tool-approval-response', approvalId, approved, ...defined({ reason }) });
    },
    configuration_update: (item) =>
      this.#system('', {
        reasoningEffortUpdate: asRecord(item['reasoning'])?.['effort'],
        textFormatUpdate: asRecord(item['text'])?.['format'],
      }),
    additional_tools: ({ tools, role }) => {
      // The server brought those with another role.
      if (role === 'developer') this.#system('', { additionalTools: tools });
    },
    // The stock provider writes it by an option of the call.
    compaction_trigger: () => {},
  };

  #message(item: Item): void {
    const { message } = sourceOf(item) ?? {};
    if (message === undefined) {
      const texts = asRecords(item['content']).map((part) => asString(part['text']) ?? '');
      this.#append('assistant', { type: 'text', text: texts.join(''), ...this.#optionsFor({ phase: item['phase'] }) });
    } else if (message.role === 'user') {
      const content = message.content.flatMap((part) => this.#userPart(part));
      this.messages.push({ role: 'user', content, ...this.#optionsFor({}, message.otherOptions) });
    } else this.#system(message.text, { promptCacheBreakpoint: message.cacheBreakpoint }, message.otherOptions);
  }

  #system(content: string, options: object, others?: JsonObject): void {
    this.messages.push({ role: 'system', content, ...this.#optionsFor(options, others) });
  }

  /** Writes each section as a part with the id of the item. */
  #reasoning(item: Item): void {
    const sealed = asString(item['encrypted_content']);
    if (sealed === undefined)
      return this.#warn('Reasoning that is not sealed cannot be sent by the stock provider; it was left out.');
    const { dialect, isKept } = this.#options;
    const { entry } = sourceOf(item) ?? {};
    const texts = asRecords(item['summary']).map((part) => asString(part['text']) ?? '');
    if (isKept && dialect.sealNeedsId === true)
      return this.#warn('With "store: true" the stock provider cannot send earlier reasoning; it was left out.');
    // If the server keeps items, the stock provider sends only the id of an item that has one, even if it was never
    // kept. Servers check that a seal and its id belong together. The stock provider needs an id even if the server
    // sent none.
    const known = entry?.type === 'reasoning' ? entry.itemId : undefined;
    const itemId = isKept ? undefined : (known ?? `rs_${shortHash(sealed)}`);
    const options = this.#optionsFor({ itemId, reasoningEncryptedContent: sealed });
    const sections = isKept || texts.length === 0 ? [texts.join('\n\n')] : texts;
    for (const text of sections) this.#append('assistant', { type: 'reasoning', text, ...options });
  }

  /** Writes items of other kinds. The AI SDK has parts for calls of the caller's tools, and none for a server's own items. */
  #other(item: Item): void {
    // Input items are JSON.
    const json = item as JsonObject;
    const type = String(item['type']);
    const call = callKind(type);
    const answered = answeredKind(type);
    const isSayable = (call ?? answered)?.missingInAiSdk !== true;
    if (isSealedCompaction(json) && this.#options.dialect.writesCompaction === true) this.#compaction(json);
    else if (call !== undefined && isSayable) this.#call(item, this.#nameOf(toolOf(call, json)), call.input(json));
    else if (answered !== undefined && isSayable) {
      const value = answered.output.result(json);
      const output = typeof value === 'string' ? { type: 'text', value } : { type: 'json', value };
      this.#result(item, output, this.#nameOf(answered.tool));
    } else this.#warn(`The stock provider cannot send an earlier ${type}; it was left out.`);
  }

  #compaction({ id = '', encrypted_content: encryptedContent }: JsonObject): void {
    const options = { type: 'compaction', itemId: id, encryptedContent };
    this.#append('assistant', { type: 'custom', kind: COMPACTION, ...this.#optionsFor(options) });
  }

  /** Drops empty texts, because servers refuse them. */
  #userPart(part: UserContent): object[] {
    const { cacheBreakpoint: promptCacheBreakpoint, otherOptions } = part;
    const imageDetail = part.type === 'file' ? part.detail : undefined;
    const options = this.#optionsFor({ imageDetail, promptCacheBreakpoint }, otherOptions);
    if (part.type === 'text') return part.text === '' ? [] : [{ type: 'text', text: part.text, ...options }];
    const { mediaType, source, filename } = asStockFile(part);
    return [
      { type: 'file', mediaType, data: this.#options.dialect.toFileData(source), ...defined({ filename }), ...options },
    ];
  }

  #toolOutput(output: unknown): JsonObject {
    if (!Array.isArray(output)) return { type: 'text', value: asString(output) ?? JSON.stringify(output ?? '') };
    const value = asRecords(output).map((part): JsonObject => {
      if (part['type'] === 'input_text') return { type: 'text', text: asString(part['text']) ?? '' };
      const file = readWireFile(part);
      const inline = file === undefined ? undefined : this.#options.dialect.toResultFile(file);
      if (inline !== undefined) return inline;
      this.#warn("The stock provider cannot send a tool's file that is not inline; its place was named instead.");
      const place = asString(part['image_url']) ?? asString(part['file_url']) ?? asString(part['file_id']) ?? 'unknown';
      return { type: 'text', text: `[file: ${place}]` };
    });
    return { type: 'content', value };
  }

  #warn(message: string): void {
    this.warnings.add(message);
  }

  /** `others`: the caller's options for other providers, of which the stock provider may be one. */
  #optionsFor(options: object, others: JsonObject = {}): Annotated {
    const given = defined(options);
    const { names } = this.#options;
    const own =
      Object.keys(given).length === 0 ? [] : names.map((name) => [name, { ...asRecord(others[name]), ...given }]);
    const all = [...Object.entries(others), ...own];
    return all.length === 0 ? {} : { providerOptions: Object.fromEntries(all) };
  }

  /** Returns the caller's name for a kind of tool. */
  #nameOf(tool: string): string {
    return hostedTool(tool, this.#options.call)?.name ?? tool;
  }

  #call(item: Item, toolName: string, input: unknown): void {
    const toolCallId = String(item['call_id']);
    this.#names.set(toolCallId, toolName);
    const options = this.#optionsFor(toVendorMembers(membersOfCall(item)));
    this.#append('assistant', { type: 'tool-call', toolCallId, toolName, input, ...options });
  }

  /** `orElse`: the tool's name if only the server has the call. */
  #result(item: Item, output: object, orElse: string, options: object = {}): void {
    const toolCallId = String(item['call_id']);
    const toolName = this.#names.get(toolCallId) ?? orElse;
    this.#append('tool', { type: 'tool-result', toolCallId, toolName, output, ...this.#optionsFor(options) });
  }

  #append(role: string, part: object): void {
    const last = this.messages.at(-1);
    if (last?.role === role && Array.isArray(last.content)) last.content.push(part);
    else this.messages.push({ role, content: [part] });
  }
}

/**
 * Returns the file as the stock provider takes it: other files than images by URL or by id as PDF only, and no type with
 * parameters (`text/plain;charset=utf-8`), unless it is a URL.
 */
function asStockFile(file: FileContent): FileContent {
  const mediaType = mediaTypeOf(file);
  const { source } = file;
  if (isImage(file)) return { ...file, mediaType };
  if (source.type !== 'data') return { ...file, mediaType: PDF };
  const url = `data:${mediaType};base64,${source.base64}`;
  if (mediaType.includes(';')) return { ...file, mediaType: PDF, source: { type: 'url', url } };
  return { ...file, mediaType, filename: filenameOf(file) };
}

const PDF = 'application/pdf';
