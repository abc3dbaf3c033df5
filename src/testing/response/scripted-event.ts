import type { JsonObject } from '../../core/json.js';

/** One Responses stream event, as in `data:`. It is not checked: a script may send what no server should. */
export interface ScriptedEvent extends JsonObject {
  /** The name of the event: `response.output_text.delta`, … */
  readonly type: string;
}

/** How events are written as a stream. */
export interface EncodeOptions {
  /** `false` omits the `event:` lines, as some gateways do. @default `true` */
  readonly eventLines?: boolean | undefined;
}

/**
 * Writes one event as server-sent-event text, its closing empty line included.
 *
 * @example
 * encodeEvent({ type: 'response.created', response: { id: 'resp_1' } });
 * // 'event: response.created\ndata: {"type":"response.created",…}\n\n'
 */
export function encodeEvent(event: ScriptedEvent, options: EncodeOptions = {}): string {
  const data = `data: ${JSON.stringify(event)}\n\n`;
  return options.eventLines === false ? data : `event: ${event.type}\n${data}`;
}

/** Writes a whole stream; see {@link encodeEvent}. */
export function encodeEvents(events: readonly ScriptedEvent[], options: EncodeOptions = {}): Uint8Array {
  return new TextEncoder().encode(events.map((event) => encodeEvent(event, options)).join(''));
}
