import type { Call } from '../core/call.js';
import type { ApprovalHistory } from '../loop/read-approvals.js';
import type { OfferOptions, ToolOffer, ToolRegistry } from '../tools/loop-tool.js';
import { NO_OFFER } from './no-offer.js';
import type { AbortLike } from '../util/abort.js';

/** A registry of which one thing is known at once. */
export interface KnownRegistry extends ToolRegistry {
  /** The settings name no tools: there is nothing to wait for. */
  readonly isEmpty: boolean;
}

/** Which loop tools are there for whom. */
export class Offers {
  readonly #registry: KnownRegistry;
  readonly #options: Pick<OfferOptions, 'nameClash' | 'strictSchemas'>;

  constructor(registry: KnownRegistry, options: Pick<OfferOptions, 'nameClash' | 'strictSchemas'>) {
    this.#registry = registry;
    this.#options = options;
  }

  /** All there are, for lists. */
  toAnybody(): Promise<ToolOffer> {
    return this.#registry.offer({ clientNames: [], ...this.#options });
  }

  /** What the tools were given in confidence. */
  secrets(): readonly string[] {
    return this.#registry.secrets();
  }

  /** With `toolChoice: none` the AI SDK takes any call of ours for a violation. */
  toModel(call: Call, signal: AbortLike, knownOptions: OfferOptions['knownOptions']): ToolOffer | Promise<ToolOffer> {
    if (call.toolChoice.type === 'none' || this.#registry.isEmpty) return NO_OFFER;
    return this.#toCall(call, signal, knownOptions);
  }

  /** A tool the user has allowed runs, whatever the model may do now. `undefined`: what the model is offered will do. */
  toUser(call: Call, history: ApprovalHistory, signal: AbortLike): Promise<ToolOffer> | undefined {
    const differs = call.toolChoice.type === 'none' && history.allowed.length > 0;
    return differs ? this.#toCall(call, signal) : undefined;
  }

  #toCall(call: Call, signal: AbortLike, knownOptions?: OfferOptions['knownOptions']): Promise<ToolOffer> {
    const clientNames = call.clientTools.map((tool) => tool.name);
    return this.#registry.offer({ clientNames, ...this.#options, knownOptions, signal });
  }
}
