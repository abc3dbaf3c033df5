import type { JsonObject } from '../../core/json.js';
import { isRecord } from '../../util/guards.js';
import { parseJson } from '../../util/json.js';
import { isForResponses } from '../script/exchange.js';
import { createGate } from '../script/gate.js';
import { readSentRequest, type SentRequest } from '../script/sent-request.js';
import { Recording, type RecordingOptions } from './recording.js';
import { type TappedBody, tapResponse } from './tap-response.js';

/** Where a recording goes, and the `fetch` that it watches. */
export interface RecordFetchOptions extends RecordingOptions {
  /** Sends the requests. @default the platform's `fetch` at the time of the call */
  readonly fetch?: typeof globalThis.fetch | undefined;
}

/** A `fetch` that records its exchanges. */
export type RecordingFetch = typeof globalThis.fetch & {
  /**
   * Resolves when every answer has been read to its end, or left, and is on disk.
   *
   * @throws FixtureError if something could not be written.
   */
  save(): Promise<void>;
};

/**
 * Records a conversation with your own back end: a `fetch` that passes every request on and keeps each exchange with the
 * Responses endpoint (`POST …/responses`) as a round of a fixture. Other requests, to MCP servers for example, pass unseen.
 *
 * The fixture is written anew after each answer, so nothing is lost when the process dies. Rounds are in the order of
 * sending. The app gets its bytes at once; the fixture keeps the bytes that it took, with the times between chunks. An
 * answer that the app left before its end is marked `aborted`. A request without any answer leaves no round.
 *
 * Credentials are taken out of requests, headers and bodies, wherever one that was sent is repeated; keys shorter than
 * eight characters only where they were sent. No URL is kept but the first one's host. Read the files before you commit
 * them, because the text of the conversation itself is kept.
 *
 * @param directory Where the fixture goes; its last part is the fixture's name.
 * @throws FixtureError when `directory` names none, and when there is a fixture already and `overwrite` is not `true`; TypeError for an unknown option. What goes wrong while recording is
 *   thrown by the next request, and by `save()`.
 * @example
 * const fetch = recordFetch('fixtures/my-server', { source: 'my server 1.2' });
 * const provider = createResponsesProvider({ baseURL, apiKey, fetch });
 * await generateText({ model: provider('my-model'), prompt: 'Hello' });
 * await fetch.save();
 */
export function recordFetch(directory: string, options: RecordFetchOptions = {}): RecordingFetch {
  const recording = new Recording(directory, options);
  const underWay = new Set<Promise<void>>();

  const send = async (...[input, init]: Parameters<typeof globalThis.fetch>): Promise<Response> => {
    const real = options.fetch ?? globalThis.fetch;
    const sent = readSentRequest(input, init);
    const body = await responsesBody(sent);
    if (body === undefined) return real(...sent.again);
    recording.check();
    const exchange = recording.begin(sent, body);
    const over = createGate();
    underWay.add(over.released);
    const settle = (): void => {
      underWay.delete(over.released);
      over.release();
    };
    const started = performance.now();
    try {
      const response = await real(...sent.again);
      const onEnd = async (tapped: TappedBody): Promise<void> => {
        await recording.finish(exchange, response, tapped);
        settle();
      };
      return tapResponse(response, { signal: sent.signal, started, onEnd });
    } catch (error) {
      settle();
      throw error;
    }
  };

  return Object.assign(send, {
    save: async () => {
      await Promise.all(underWay);
      recording.check();
    },
  });
}

/** Returns the body of a request to the Responses endpoint. */
async function responsesBody(sent: SentRequest): Promise<JsonObject | undefined> {
  if (!isForResponses(sent.method, sent.url.pathname)) return undefined;
  const body = parseJson(await sent.text());
  return isRecord(body) ? (body as JsonObject) : undefined; // parsed JSON holds JSON values only
}
