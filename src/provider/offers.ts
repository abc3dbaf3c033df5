import type { Call } from '../core/call.js';
import type { ApprovalHistory } from '../loop/read-approvals.js';
import type { OfferOptions, ToolOffer, ToolRegistry } from '../tools/loop-tool.js';
import { NO_OFFER } from './no-offer.js';
import type { AbortLike } from '../util/cancellation.js';

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
  toModel(call: Call, signal: AbortLike): ToolOffer | Promise<ToolOffer> {
    return call.toolChoice.type === 'none' || this.#registry.isEmpty ? NO_OFFER : this.#toCall(call, signal);
  }

  /** A tool the user has allowed runs, whatever the model may do now. `undefined`: what the model is offered will do. */
  toUser(call: Call, history: ApprovalHistory, signal: AbortLike): Promise<ToolOffer> | undefined {
    const differs = call.toolChoice.type === 'none' && history.allowed.length > 0;
    return differs ? this.#toCall(call, signal) : undefined;
  }

  #toCall(call: Call, signal: AbortLike): Promise<ToolOffer> {
    const clientNames = call.clientTools.map((tool) => tool.name);
    return this.#registry.offer({ clientNames, ...this.#options, signal });
  }
}

/** Where `nameClash: 'loop'` gave a name to us, the caller's tool of that name is not offered. */
export function withoutShadowed(call: Call, offer: ToolOffer): Call {
  if (!call.clientTools.some((tool) => offer.byWireName.has(tool.name))) return call;
  return { ...call, clientTools: call.clientTools.filter((tool) => !offer.byWireName.has(tool.name)) };
}

/** The server would refuse it without naming it, or do as it likes. */
export function unknownChoice({ toolChoice, clientTools, hostedTools }: Call, offer: ToolOffer): string[] {
  if (toolChoice.type !== 'tool' || offer.byWireName.has(toolChoice.name)) return [];
  const isKnown = [...clientTools, ...hostedTools].some((tool) => tool.name === toolChoice.name);
  return isKnown ? [] : [`toolChoice names "${toolChoice.name}", which is none of the tools of this call.`];
}
