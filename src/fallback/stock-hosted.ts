import type { Call } from '../core/call.js';
import type { JsonValue } from '../core/json.js';
import type { HostedPreview } from '../core/hosted-part.js';
import type { RoundPart } from '../core/part.js';
import type { ServerItem } from '../core/call-items.js';
import { hostedName, hostedTool } from '../loop/tool-ownership.js';
import { CALL_ITEMS, callFamilyOf, outputFamilyOf } from '../stream/handlers/call-items.js';
import { HOSTED, imageOf } from '../stream/handlers/hosted-items.js';
import { asId, asString } from '../util/guards.js';
import { LateOutputs } from './late-outputs.js';

type Part = Readonly<Record<string, unknown>>;

export interface StockHostedOptions {
  readonly call: Call;
  readonly claim: (stockId: unknown) => string;
  /** Takes an item into what the next request replays. */
  readonly replay: (item: ServerItem) => void;
}

/** What the server ran itself, as the stock provider shows it: its parts lack the items, which only the wire has whole. */
export class StockHosted {
  readonly #options: StockHostedOptions;
  /** Items of tools that are no functions, by their ids. */
  readonly #items = new Map<string, ServerItem>();
  /** What the server's own tools were asked. */
  readonly #inputs = new Map<string, string>();
  readonly #callIds = new Map<string, string>();
  /** Calls with their results in one item that wait for the stock provider to show them. */
  readonly #waiting = new Set<ServerItem>();
  /** Call ids of programs: those are read from the wire, since not every version shows them. */
  readonly #programs = new Set<string>();
  readonly #late = new LateOutputs();

  constructor(options: StockHostedOptions) {
    this.#options = options;
  }

  /** Takes an item that the stock provider's parts are about; `false` for any other. */
  know(item: ServerItem): boolean {
    const type = asString(item['type']) ?? '';
    if (isProgram(type)) {
      this.#programs.add(asString(item['call_id']) ?? '');
      return false;
    }
    const isWhole = Object.hasOwn(HOSTED, type);
    if (!isWhole && !Object.hasOwn(CALL_ITEMS, type)) return false;
    for (const id of [asId(item['id']), asId(item['call_id'])]) if (id !== undefined) this.#items.set(id, item);
    if (isWhole) this.#waiting.add(item);
    return true;
  }

  /** Whether the item is the output of a call that was not shown yet: it comes out with that. */
  holds(item: ServerItem): boolean {
    return this.#late.holds(item);
  }

  /** The item that a call of the caller's is. */
  itemOf(stockId: string): ServerItem | undefined {
    const item = this.#items.get(stockId);
    if (item !== undefined) this.#waiting.delete(item);
    return item;
  }

  /** A call that the server runs is shown with its result, unless it has something to show until then. */
  called(part: Part): RoundPart[] {
    const stockId = String(part['toolCallId']);
    const item = this.#items.get(stockId);
    if (item !== undefined && !this.#inputs.has(stockId)) this.#late.called(item);
    this.#inputs.set(stockId, asString(part['input']) ?? '');
    const { type } = hostedTool(String(part['toolName']), this.#options.call) ?? {};
    return type === 'image_generation' ? [this.#preview(part)] : [];
  }

  /** A result, or a preview of one; `undefined` where its item never came, so that it cannot be sent back. */
  result(part: Part): RoundPart[] | undefined {
    const stockId = String(part['toolCallId']);
    // The stock provider had it from a JSON text.
    const result = (part['result'] ?? null) as JsonValue;
    if (part['preliminary'] === true) return [{ ...this.#preview(part), result }];
    if (this.#programs.has(stockId)) return [];
    const item = this.itemOf(stockId);
    if (item === undefined) return undefined;
    const name = String(part['toolName']);
    const family = HOSTED[asString(item['type']) ?? ''];
    const tool = hostedName(name, this.#options.call) === undefined ? (family?.tool ?? name) : name;
    const callId = this.#callIdOf(stockId);
    this.#options.replay(item);
    const image = imageOf(item);
    return [
      { type: 'hosted-call', callId, tool, input: asId(this.#inputs.get(stockId)) ?? '{}', item },
      { type: 'hosted-result', callId, tool, result, isError: part['isError'] === true },
      ...(image === undefined ? [] : [{ type: 'file', ...image } as const]),
      ...this.#late.shown(item).flatMap((output) => this.show(output)),
    ];
  }

  /** An item that no part of the stock provider's is needed for. */
  show(item: ServerItem): RoundPart[] {
    this.#options.replay(item);
    const type = asString(item['type']) ?? '';
    return isProgram(type) ? [this.#program(type, item)] : [{ type: 'item', item }];
  }

  /** The answer is over: items that the stock provider did not show are replayed all the same. */
  end(): RoundPart[] {
    const left = [...this.#waiting];
    this.#waiting.clear();
    return left.flatMap((item) => this.show(item));
  }

  #program(type: string, item: ServerItem): RoundPart {
    const stockId = asString(item['call_id']) ?? '';
    const isLate = !this.#callIds.has(stockId);
    const callId = type === 'program_output' && isLate ? stockId : this.#callIdOf(stockId);
    const tool = 'programmatic_tool_calling';
    if (type === 'program')
      return { type: 'hosted-call', callId, tool, input: JSON.stringify(callFamilyOf(type)?.input(item) ?? {}), item };
    const result = outputFamilyOf(type)?.result(item) ?? null;
    return { type: 'hosted-result', callId, tool, result, isError: false, item, ...(isLate ? { isLate } : {}) };
  }

  #preview(part: Part): HostedPreview {
    const callId = this.#callIdOf(String(part['toolCallId']));
    return { type: 'hosted-preview', callId, tool: String(part['toolName']) };
  }

  #callIdOf(stockId: string): string {
    const callId = this.#callIds.get(stockId) ?? this.#options.claim(stockId);
    this.#callIds.set(stockId, callId);
    return callId;
  }
}

/** What a program gives may come in a later answer. */
function isProgram(type: string): boolean {
  return type === 'program' || type === 'program_output';
}
