import type { Call } from '../core/call.js';
import { membersOfCall } from '../core/call-items.js';
import type { JsonObject } from '../core/json.js';
import type { FileContent } from '../core/message.js';
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
import type { StockDialect } from './prompt-dialect.js';

export interface StockPromptOptions {
  readonly dialect: StockDialect;
  readonly call: Call;
  /** Names under which the stock provider reads its options. */
  readonly names: readonly string[];
  /** The id of the item with a sealed reasoning. Servers check that the two belong together. */
  readonly reasoningId: (sealed: string) => string | undefined;
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
 * Writes the input of our own request as a prompt from which the stock provider makes the same request. The history is repaired
 * by then: calls have outputs, and reasoning has what it led to.
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
  /** Names of tools by call id, because results have them too. */
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
      this.#result(item, this.#toolOutput(item['output']), { options: { promptCacheBreakpoint, caller } });
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
      // Others came from the server.
      if (role === 'developer') this.#system('', { additionalTools: tools });
    },
    // An option of the call asks for it.
    compaction_trigger: () => {},
  };

  #message(item: Item): void {
    const role = asString(item['role']) ?? '';
    const parts = asRecords(item['content']);
    const texts = parts.map((part) => asString(part['text']) ?? '');
    if (role === 'assistant')
      this.#append(role, { type: 'text', text: texts.join(''), ...this.#optionsFor({ phase: item['phase'] }) });
    else if (role === 'user') this.messages.push({ role, content: parts.flatMap((part) => this.#userPart(part)) });
    else this.#system(texts.join('\n'), markOf(parts.at(-1)));
  }

  #system(text: string, options: object): void {
    this.messages.push({ role: 'system', content: text, ...this.#optionsFor(options) });
  }

  /** Sections are parts in a row with the id of one item. */
  #reasoning(item: Item): void {
    const sealed = asString(item['encrypted_content']);
    if (sealed === undefined)
      return this.#warn('Reasoning that is not sealed cannot be sent by the stock provider; it was left out.');
    const { dialect, isKept, reasoningId } = this.#options;
    const texts = asRecords(item['summary']).map((part) => asString(part['text']) ?? '');
    if (isKept && dialect.sealNeedsId === true)
      return this.#warn('With "store: true" the stock provider cannot send earlier reasoning; it was left out.');
    // If the server keeps items, the stock provider sends only the id of an item that has one, even if it was never kept.
    // The stock provider needs an id even if the server gave none.
    const itemId = isKept ? undefined : (reasoningId(sealed) ?? `rs_${shortHash(sealed)}`);
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
      // Its call may be at the server only.
      const kind = answered.tool;
      this.#result(item, typeof value === 'string' ? { type: 'text', value } : { type: 'json', value }, { kind });
    } else this.#warn(`The stock provider cannot send an earlier ${type}; it was left out.`);
  }

  #compaction({ id = '', encrypted_content: encryptedContent }: JsonObject): void {
    const options = { type: 'compaction', itemId: id, encryptedContent };
    this.#append('assistant', { type: 'custom', kind: COMPACTION, ...this.#optionsFor(options) });
  }

  #userPart(part: Item): object[] {
    const mark = markOf(part);
    if (part['type'] === 'input_text')
      return [{ type: 'text', text: asString(part['text']) ?? '', ...this.#optionsFor(mark) }];
    const file = readWireFile(part);
    if (file === undefined) {
      this.#warn(`The stock provider cannot send ${String(part['type'])}; it was left out.`);
      return [];
    }
    const { mediaType, source, filename, detail: imageDetail } = asStockFile(file);
    const data = this.#options.dialect.toFileData(source);
    const options = this.#optionsFor({ imageDetail, ...mark });
    return [{ type: 'file', mediaType, data, ...defined({ filename }), ...options }];
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

  #optionsFor(options: object): Annotated {
    const given = defined(options);
    if (Object.keys(given).length === 0) return {};
    return { providerOptions: Object.fromEntries(this.#options.names.map((name) => [name, given])) };
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

  /** `kind` names the tool if the call is not in the prompt. */
  #result(
    item: Item,
    output: object,
    { options = {}, kind }: { readonly options?: object; readonly kind?: string | undefined },
  ): void {
    const toolCallId = String(item['call_id']);
    const toolName = this.#names.get(toolCallId) ?? (kind === undefined ? '' : this.#nameOf(kind));
    this.#append('tool', { type: 'tool-result', toolCallId, toolName, output, ...this.#optionsFor(options) });
  }

  #append(role: string, part: object): void {
    const last = this.messages.at(-1);
    if (last?.role === role && Array.isArray(last.content)) last.content.push(part);
    else this.messages.push({ role, content: [part] });
  }
}

/** The stock provider refuses a file whose type has parameters (`text/plain;charset=utf-8`), unless it is a URL. */
function asStockFile(file: FileContent): FileContent {
  const { mediaType, source } = file;
  if (source.type !== 'data' || !mediaType.includes(';') || mediaType.startsWith('image/')) return file;
  const url = `data:${mediaType};base64,${source.base64}`;
  return { ...file, mediaType: 'application/pdf', source: { type: 'url', url } };
}

function markOf(part: Item | undefined): object {
  return { promptCacheBreakpoint: part?.['prompt_cache_breakpoint'] };
}
