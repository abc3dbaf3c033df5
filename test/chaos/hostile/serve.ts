import { encodeEvent, errorEvent, responseBody, responseEvents, type ScriptedEvent } from 'responses-loop/testing';
import type { JsonObject } from '../../../src/core/json.js';
import { asRecords } from '../../../src/util/guards.js';
import { bodyOf, cutBody, endlessResponse, type Meter } from './bodies.js';
import { errorBody, keyIn } from './error-bodies.js';
import { floodOf, piecesOf } from './flood.js';
import type { Post } from './observation.js';
import type { Answer, EchoPlace, ErrorAnswer, FloodAnswer, SaysAnswer } from './scenario.js';
import { plain } from '../plain.js';

export interface ServerPlan {
  readonly answers: readonly Answer[];
  readonly repeatsLast: boolean;
}

/** A model server in the place of `fetch`: it repeats, floods and lies as its plan says. */
export class HostileServer {
  readonly posts: Post[] = [];
  /** Events of floods that it has sent. */
  units = 0;
  #plan: ServerPlan;
  #next = 0;

  constructor(plan: ServerPlan) {
    this.#plan = plan;
  }

  /** From now on it answers like this. */
  change(plan: ServerPlan): void {
    this.#plan = plan;
    this.#next = 0;
  }

  answer(init: RequestInit | undefined): Response {
    init?.signal?.throwIfAborted();
    const text = plain(init?.body ?? '{}');
    const body = JSON.parse(text) as JsonObject;
    const { answers, repeatsLast } = this.#plan;
    const answer = answers[this.#next] ?? (repeatsLast ? answers.at(-1) : undefined);
    this.#next += 1;
    const headers = Object.fromEntries(new Headers(init?.headers).entries());
    const meter: Meter = { taken: 0 };
    const post: Post = { headers, text, body, input: asRecords(body['input']) as JsonObject[], answer, meter };
    const number = this.posts.push(post);
    const chosen: Answer = answer ?? {
      kind: 'says',
      form: 'sse',
      text: 'beyond',
      calls: [],
      echoes: [],
      status: 'completed',
    };
    if (chosen.kind === 'error') return respondError(chosen, post, meter);
    if (chosen.kind === 'endless') return endlessResponse(chosen, meter, init?.signal ?? undefined);
    if (chosen.kind === 'flood') return this.#flood(chosen, number, meter);
    return respond(chosen, post, { number, meter });
  }

  #flood(answer: FloodAnswer, number: number, meter: Meter): Response {
    const flood = floodOf(answer, number);
    this.units += flood.units;
    return new Response(bodyOf(piecesOf(flood, answer.pieces), meter), {
      headers: { 'content-type': 'text/event-stream' },
    });
  }
}

function respondError(answer: ErrorAnswer, post: Post, meter: Meter): Response {
  const { type, text } = errorBody(answer, post);
  const headers = headersOf({ 'content-type': type, ...answer.headers });
  if (answer.echoesInHeaders) echoInHeaders(headers, ['header', 'header-name'], post);
  const hasBody = answer.status !== 204;
  const pieces = [Buffer.from(cutBody(text, answer.cut))];
  return new Response(hasBody ? bodyOf(pieces, meter, answer.cut?.ending) : null, { status: answer.status, headers });
}

/** What no header can hold is left out, as every HTTP library would. */
function headersOf(values: Readonly<Record<string, string>>): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(values)) headers.set(name, value);
  return headers;
}

function echoInHeaders(headers: Headers, places: readonly EchoPlace[], post: Post): void {
  const key = keyIn(post);
  if (places.includes('header')) headers.set('x-echo', `key ${key} of ${post.headers['authorization'] ?? ''}`);
  if (places.includes('header-name') && key !== '') headers.set(`x-${key}`, 'seen');
}

function respond(answer: SaysAnswer, post: Post, { number, meter }: { number: number; meter: Meter }): Response {
  const echo = (place: EchoPlace): string | undefined => (answer.echoes.includes(place) ? keyIn(post) : undefined);
  const id = `resp_${number}${echo('response-id') ?? ''}`;
  const error = {
    code: echo('error-code') ?? 'server_error',
    message: `It went wrong.\u001b[2J ${echo('error-message') ?? ''}`,
  };
  const description = {
    id,
    output: [
      {
        type: 'text' as const,
        text: `${answer.text} ${echo('text') ?? ''}`,
        ...(answer.echoes.includes('item-id') ? { id: `msg_${echo('item-id')}` } : {}),
        ...(answer.echoes.includes('annotation')
          ? { annotations: [{ type: 'url_citation', url: 'http://127.0.0.1:1/', title: echo('annotation') ?? '' }] }
          : {}),
      },
      ...answer.calls.map(({ name, marker }) => ({
        type: 'call' as const,
        name: name === 'mcp__hi' ? mcpName(post) : name,
        arguments: { m: marker },
        callId: `call_${marker}`,
      })),
    ],
    status: answer.status,
    incompleteReason: echo('incomplete-reason') ?? 'max_output_tokens',
    error,
    fields: { service_tier: echo('service-tier') ?? 'default' },
  };
  const headers = headersOf({ 'content-type': answer.form === 'json' ? 'application/json' : 'text/event-stream' });
  echoInHeaders(headers, answer.echoes, post);
  const text =
    answer.form === 'json' ? JSON.stringify(responseBody(description)) : streamText(answer, description, echo);
  return new Response(bodyOf([Buffer.from(cutBody(text, answer.cut))], meter, answer.cut?.ending), { headers });
}

const OWN_TOOLS: readonly string[] = ['look', 'act', 'pay', 'ask'];

/** The name under which the first tool of the MCP server is offered. */
function mcpName({ body }: Post): string {
  const names = asRecords(body['tools']).map((tool) => String(tool['name']));
  return names.find((name) => !OWN_TOOLS.includes(name)) ?? 'hi';
}

function streamText(
  answer: SaysAnswer,
  description: NonNullable<Parameters<typeof responseEvents>[0]> & {
    readonly error: { code: string; message: string };
  },
  echo: (place: EchoPlace) => string | undefined,
): string {
  const events: ScriptedEvent[] = responseEvents(description);
  const strange = answer.echoes.flatMap((place): string[] => {
    if (place === 'unknown-event')
      return [`data: ${JSON.stringify({ type: 'response.chaos', key: echo(place) ?? '' })}\n\n`];
    return place === 'no-json' ? [`data: {"type": "broken ${echo(place)}\n\n`] : [];
  });
  const ends =
    answer.status === 'failed' && answer.echoes.includes('error-code') ? [errorEvent(description.error)] : [];
  return [...strange, ...[...ends, ...events].map((event) => encodeEvent(event))].join('');
}
