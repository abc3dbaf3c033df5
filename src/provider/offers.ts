import type { Call } from '../core/call.js';
import type { CallWarning } from '../core/warning.js';
import { ResponsesLoopError } from '../errors/responses-loop-error.js';
import { convertAllowedTools } from '../request/allowed-tools.js';
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

/** Where `nameClash: 'loop'` gave a name to us, the caller's tool of that name is not offered. */
export function withoutShadowed(call: Call, offer: ToolOffer): Call {
  if (!call.clientTools.some((tool) => offer.byWireName.has(tool.name))) return call;
  return { ...call, clientTools: call.clientTools.filter((tool) => !offer.byWireName.has(tool.name)) };
}

/**
 * Names in the tool choice and in `allowedTools` that the server would refuse without naming them, or do with as it likes.
 *
 * @throws ResponsesLoopError `invalid-options`: a forced tool that is not declared, or `allowedTools` that allow nothing
 */
export function warnOfChoice(call: Call, offer: ToolOffer): readonly CallWarning[] {
  const { toolChoice, clientTools, hostedTools } = call;
  const allowed =
    toolChoice.type === 'none' || clientTools.length + hostedTools.length + offer.tools.length === 0
      ? undefined
      : convertAllowedTools(
          call.options['allowedTools'],
          [...clientTools, ...offer.tools.map((tool) => tool.declaration)],
          hostedTools,
        );
  if (allowed !== undefined) return allowed.warnings;
  if (toolChoice.type !== 'tool' || offer.byWireName.has(toolChoice.name)) return [];
  const { name } = toolChoice;
  const chosen = clientTools.find((tool) => tool.name === name);
  if (chosen?.omitFromRequestTools === true)
    throw new ResponsesLoopError({
      code: 'invalid-options',
      message: `toolChoice forces the tool "${name}", which "omitFromRequestTools" keeps out of the request.`,
    });
  const isKnown = chosen !== undefined || hostedTools.some((tool) => tool.name === name);
  return isKnown ? [] : [`toolChoice names "${name}", which is none of the tools of this call.`];
}
