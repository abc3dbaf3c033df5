import type { SeenRequest } from '../observation.js';
import type { Next, RoundView } from './rounds.js';

const LOST_CONTEXT = 'previous_response_not_found';
const TOO_OLD = 'websocket_connection_limit_reached';

/**
 * What may come after a request over a socket, where nothing of an answer came: what the server lost is sent whole, once in
 * a round; what it could not answer, on another connection, then over HTTP, once each. Until then nobody hears of it.
 */
export function withResends(
  usual: readonly Next[],
  seen: SeenRequest,
  before: readonly RoundView[],
  isUncertain: boolean,
): readonly Next[] {
  const { exchange, wire } = seen;
  if (wire === undefined || exchange === undefined) return usual;
  const { length: resent } = before.filter(({ followedBy }) => followedBy === 'resend');
  if (isLost(seen)) return before.some(isLost) ? usual : ['resend'];
  // The last way out: whether it was taken already, only its request tells.
  const hasFallenBack = before.some(({ wire: other }) => other === undefined);
  if (isUnanswered(seen)) return hasFallenBack ? [...usual, 'resend'] : ['resend'];
  return isUncertain && resent < 3 ? [...usual, 'resend'] : usual;
}

/** The server forgot what was to be gone on from. */
export function isLost({ exchange, wire }: Pick<SeenRequest, 'exchange' | 'wire'>): boolean {
  return (
    exchange?.kind === 'http-error' && exchange.code === LOST_CONTEXT && wire?.sent['previous_response_id'] != null
  );
}

/** The connection was too old, or ended before the first event. */
function isUnanswered({ exchange }: Pick<SeenRequest, 'exchange'>): boolean {
  if (exchange?.kind === 'http-error') return exchange.code === TOO_OLD;
  if (exchange?.kind === 'silent') return exchange.how === 'reset';
  return exchange?.stopAfter === 0 && (exchange.ending === 'close' || exchange.ending === 'reset');
}
