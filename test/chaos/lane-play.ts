import type { JsonObject } from '../../src/core/json.js';
import { type Log, laneOfText } from './log.js';
import type { ModelCall, SeenRequest } from './observation.js';
import type { Exchange, Lane } from './scenario.js';
import type { Trigger } from './trigger-abort.js';

/** A lane while it is played. */
export interface LanePlay {
  readonly lane: Lane;
  readonly number: number;
  readonly trigger: Trigger;
  readonly calls: ModelCall[];
  readonly requests: SeenRequest[];
  /** What the latest request means, whatever of it is sent. */
  whole: JsonObject;
  /** The provider is about to repeat a round. */
  isRetrying: boolean;
}

export function laneOf(text: string, plays: readonly LanePlay[]): LanePlay {
  const lanePlay = plays[laneOfText(text)];
  if (lanePlay === undefined) throw new Error('a request of no lane');
  return lanePlay;
}

/** The next exchange of the lane, with which the request has to be answered; `undefined` beyond its script. */
export function receive(
  lanePlay: LanePlay,
  log: Log,
  seen: Pick<SeenRequest, 'request' | 'wire'>,
  as: (exchange: Exchange) => Exchange = (exchange) => exchange,
): Exchange | undefined {
  const { lane, number, trigger, calls, requests } = lanePlay;
  const next = lane.exchanges[requests.length];
  const exchange = next && as(next);
  log.note(number, 'received', String(requests.length));
  requests.push({ ...seen, exchange, modelCall: calls.length - 1, isRetry: lanePlay.isRetrying });
  lanePlay.isRetrying = false;
  trigger.happened('request');
  return exchange;
}

/** What the server says once its script is over. */
export function beyondText(request: number): string {
  return `Beyond ${request}: nothing is left.`;
}
