import type { JsonObject } from '../core/json.js';
import type { Round, RoundRequest } from '../core/round.js';

/** A round that is requested, with its latest request. */
export interface Ask {
  readonly request: RoundRequest;
  /** The latest body as it was built. */
  body: JsonObject;
  /** The latest body as it went out. */
  sent: JsonObject;
  requests: number;
  /** A layer has ended the round: the outer layers send nothing more. */
  isOver: boolean;
}

export type Exchange = (ask: Ask) => Promise<Round>;
/** Wraps an exchange, which it may call again after a failure. */
export type Layer = (next: Exchange) => Exchange;

/**
 * Requests a round. Loads the layers at its first failure, because most rounds succeed. The first layer is the
 * outermost, so the last one sees each failure first.
 */
export async function askThrough(
  request: RoundRequest,
  layers: () => Promise<readonly Layer[]>,
  send: Exchange,
): Promise<Round> {
  const start: Ask = { request, body: {}, sent: {}, requests: 0, isOver: false };
  const first = send(start);
  try {
    return await first;
  } catch {
    const counted: Exchange = (ask) => {
      ask.requests += 1;
      // The innermost layer handles the first failure as its own.
      return ask.requests === 1 ? first : send(ask);
    };
    // Without the code, the failure stays, because the network may be gone.
    const loaded = await layers().catch(() => []);
    const exchange = loaded.reduceRight((next, layer) => layer(next), counted);
    return exchange(start);
  }
}
