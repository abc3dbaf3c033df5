import type { JsonObject } from '../core/json.js';
import type { HostedCall, HostedPreview, HostedResult, ShownHostedResult } from '../core/hosted-part.js';
import type { CallPart } from '../core/part.js';
import type { LoopOptions } from './loop-options.js';
import { hostedTool } from './tool-ownership.js';

interface OpenPreview {
  readonly tool: string;
  readonly name: string;
  /** The item of the call, once that is whole. */
  item?: JsonObject;
}

/**
 * Calls of the server's tools that are shown before they are whole, because there is something to show until then. Their
 * items travel beside their results, since their calls were shown without.
 */
export class Previews {
  readonly #options: LoopOptions;
  readonly #open = new Map<string, OpenPreview>();

  constructor(options: LoopOptions) {
    this.#options = options;
  }

  /** The call with the first preview, or at once where the caller asked for previews. `name`: what it is shown as. */
  show({ callId, tool, result }: HostedPreview, name: string | undefined): CallPart[] {
    const { call, previews } = this.#options;
    if (previews !== true || !call.stream || name === undefined) return [];
    const isOpen = this.#open.has(callId);
    if (!isOpen && result === undefined && !this.#isAskedFor(tool)) return [];
    this.#open.set(callId, { tool, name });
    return [
      ...(isOpen ? [] : [{ type: 'hosted-call', callId, tool, name, input: '{}' } as const]),
      ...(result === undefined
        ? []
        : [{ type: 'hosted-result', callId, tool, name, result, isError: false, isPreliminary: true } as const]),
    ];
  }

  /** Whether the call was shown already; its item waits for the result. */
  holds({ callId, item }: HostedCall): boolean {
    const open = this.#open.get(callId);
    if (open !== undefined) open.item = item;
    return open !== undefined;
  }

  /** A result on its way out. */
  finish({ afterPreviews, ...part }: HostedResult & { readonly name: string }): ShownHostedResult {
    const open = this.#open.get(part.callId);
    this.#open.delete(part.callId);
    if (open?.item === undefined) return part;
    return { ...part, result: afterPreviews ?? part.result, callItem: open.item };
  }

  /** The round is over: what never came to an end has failed. */
  close(): CallPart[] {
    const failed = [...this.#open].map(([callId, { tool, name }]): CallPart => ({
      type: 'hosted-result',
      callId,
      tool,
      name,
      result: { status: 'incomplete' },
      isError: true,
    }));
    this.#open.clear();
    return failed;
  }

  #isAskedFor(tool: string): boolean {
    const { partialImages } = hostedTool(tool, this.#options.call)?.args ?? {};
    return typeof partialImages === 'number' && partialImages > 0;
  }
}
