import { type ResponseDescription, responseBody, responseEvents, scriptedFetch } from '../../src/testing.js';
import { errorFacts, type Facts } from './facts.js';
import type { RequestScenario } from './scenarios/requests.js';
import { declared, inWordsOf, type Side, type Sides } from './sides.js';

const ANSWER: ResponseDescription = { output: [{ type: 'text', text: 'Yes.' }] };

/** Of the headers only those that say something about the call. */
const HEADERS = ['authorization', 'api-key', 'content-type', 'x-duck'];

/** What one provider sends for a call, and what it warns of. */
export async function observeRequest(side: Side, scenario: RequestScenario, sides: Sides): Promise<Facts> {
  const fetch = scriptedFetch([
    (request) => (request.body['stream'] === true ? responseEvents(ANSWER) : { json: responseBody(ANSWER) }),
  ]);
  const tools = declared({ tools: scenario.tools ?? [], hosted: scenario.hosted ?? {} }, sides);
  try {
    const call = typeof scenario.call === 'function' ? scenario.call(sides.major) : scenario.call;
    const { stream } = await side(fetch, scenario.model).doStream({
      ...inWordsOf(sides, call),
      ...(tools.length > 0 && { tools }),
    });
    const parts: Record<string, unknown>[] = [];
    for await (const part of stream) parts.push(part);
    const { warnings } = parts[0] as { warnings?: unknown[] };
    const [request] = fetch.requests;
    // Keys of Azure go into another header; only the body is compared.
    if (scenario.vendor === 'azure') return { body: request?.body, warnings };
    const headers = HEADERS.map((name) => [name, request?.headers[name]]);
    return { body: request?.body, url: request?.url, headers: Object.fromEntries(headers), warnings };
  } catch (error) {
    return { rejects: errorFacts(error) };
  }
}
