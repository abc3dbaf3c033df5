import { setTimeout as sleep } from 'node:timers/promises';

import {
  encodeEvent,
  errorReply,
  responseBody,
  responseEvents,
  type ScriptedAnswer,
  type ScriptedEvent,
  whole,
} from 'responses-loop/testing';
import { cutHeader, otherCut } from './cut.js';
import { describe, sentEvents } from './events.js';
import type { AnswerExchange, Cut, Exchange, HttpErrorExchange, Noise } from './scenario.js';
import { echoed } from './secrets.js';

/** How the server answers one request. */
export function answerOf(exchange: Exchange, recut: boolean): ScriptedAnswer {
  if (exchange.kind === 'silent') return { none: exchange.how };
  if (exchange.kind === 'http-error') return httpError(exchange);
  const cut = recut ? otherCut(exchange.cut) : exchange.cut;
  return exchange.form === 'json' ? jsonAnswer(exchange, cut) : streamAnswer(exchange, cut);
}

function httpError({ status, code, retryAfterMs, echoesKey }: HttpErrorExchange): ScriptedAnswer {
  return errorReply({
    status,
    code,
    message: `No. ${echoesKey ? echoed() : ''}`,
    headers: {
      ...(retryAfterMs === undefined ? {} : { 'retry-after-ms': String(retryAfterMs), 'retry-after': '0' }),
      ...(echoesKey ? { 'x-echo': echoed() } : {}),
    },
  });
}

function jsonAnswer(exchange: AnswerExchange, cut: Cut): ScriptedAnswer {
  const { status, stopAfter, ending } = exchange;
  const described = describe({ ...exchange, status: status === 'error' ? 'failed' : status });
  const text = JSON.stringify(responseBody(described));
  const bytes = Buffer.from(text);
  return {
    bytes: stopAfter === undefined ? bytes : bytes.subarray(0, jsonStop(bytes.length, stopAfter)),
    headers: { 'content-type': 'application/json', ...cutHeader(cut) },
    ending: ending === 'close' ? 'end' : ending,
  };
}

/** Somewhere inside: never the whole body. */
function jsonStop(length: number, stopAfter: number): number {
  return Math.min(length - 1, stopAfter * 40);
}

function streamAnswer(exchange: AnswerExchange, cut: Cut): ScriptedAnswer {
  const { pause, ending } = exchange;
  const frames = framesOf(exchange);
  const pieces =
    pause === undefined || pause.at >= frames.length ? [frames] : [frames.slice(0, pause.at), frames.slice(pause.at)];
  const [first = [], second] = pieces.map((list) => list.map((text) => Buffer.from(text)));
  const hold = second === undefined ? [] : [sleep(pause?.ms ?? 0), ...second];
  return {
    bytes: [...first, ...hold],
    headers: cutHeader(cut),
    ...(cut.how === 'events' ? {} : { rechunk: whole }),
    ending: ending === 'close' ? 'end' : ending,
  };
}

/** Each frame is one event or one piece of noise, as text. */
function framesOf(exchange: AnswerExchange): string[] {
  const options = { eventLines: exchange.eventLines };
  const frames = sentEvents(exchange).map(({ event }) => encodeEvent(event, options));
  for (const noise of exchange.noise.toSorted((a, b) => b.at - a.at)) {
    if (noise.at < frames.length) frames.splice(noise.at, 0, noiseText(noise));
  }
  if (exchange.tornEvent)
    frames.push('event: response.output_text.delta\ndata: {"type":"response.output_text.delta","del');
  if (exchange.straggler && exchange.stopAfter === undefined)
    frames.push(...straggler(exchange).map((event) => encodeEvent(event, options)));
  return exchange.crlf ? frames.map((frame) => frame.replaceAll('\n', '\r\n')) : frames;
}

/** What no server should send any more. */
export function straggler({ responseId }: AnswerExchange): ScriptedEvent[] {
  const late = responseEvents({
    id: responseId,
    output: [
      { type: 'call', name: 'act', arguments: { m: 'straggler', do: 'ok' } },
      { type: 'text', text: 'straggler' },
    ],
  });
  return late.map((event) => (typeof event['output_index'] === 'number' ? { ...event, output_index: 70 } : event));
}

const NOISE: { readonly [K in Noise['what']]: (at: number) => string } = {
  comment: () => ': keep-alive\n\n',
  garbage: () => 'data: this is not json at all\n\n',
  'broken-json': () =>
    'event: response.output_text.delta\ndata: {"type":"response.output_text.delta","delta":"never\n\n',
  'unknown-event': () => 'data: {"type":"response.chaos.happened","delta":"never","output_index":0}\n\n',
  'unknown-item': (at) => `data: ${JSON.stringify(unknownItem(at))}\n\n`,
  blank: () => '\n\n',
  'done-mark': () => 'data: [DONE]\n\n',
  retry: () => 'retry: 10\nid: 7\n\n',
};

function noiseText({ what, at }: Noise): string {
  return NOISE[what](at);
}

function unknownItem(at: number): ScriptedEvent {
  return { type: 'response.output_item.added', output_index: 80 + at, item: { id: `chaos_${at}`, type: 'chaos_item' } };
}
