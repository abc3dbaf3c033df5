import type { Answer } from '../answer.js';
import { causeOf } from '../../cause.js';
import { findManner, HELLO } from '../find-manner.js';
import type { Finding } from '../point.js';
import type { Probe } from '../probe.js';
import type { Visit } from '../visit.js';
import { REACHABLE } from './reach.js';

const STREAMED = 'streamed text';

const streamed: Probe = {
  name: STREAMED,
  needs: [REACHABLE],
  run: async (visit) => {
    const asked = visit.manner.url;
    const { answer, manner } = await findManner(visit, true);
    if (answer.kind !== 'answer') return unanswered(answer, visit, manner.url);
    if (hasSaid(answer)) settle(visit, answer, manner);
    if (!answer.isStream) return wholeInstead(answer);
    const detail = [
      manner.url !== asked && `at ${manner.url}`,
      manner.auth !== 'bearer' && `key in ${manner.auth}`,
      missingFields(manner.base),
      streamWords(answer),
    ]
      .filter(Boolean)
      .join('; ');
    if (!hasSaid(answer)) return { verdict: 'no', detail: `no text in it; ${detail}`, limit: NO_STREAM };
    return { verdict: 'yes', detail };
  },
};

const NO_STREAM = 'nothing can be streamed';

/** A server that refuses every request tells nothing about streams. */
function unanswered(answer: Answer, visit: Visit, url: string): Finding {
  return {
    verdict: 'no',
    detail: answer.problem,
    limit: causeOf(answer, visit, url) ?? `no answer: ${answer.problem}`,
  };
}

function wholeInstead(answer: Answer): Finding {
  const isText = hasSaid(answer);
  const detail = isText
    ? 'answers in one piece although a stream was requested'
    : 'answers with JSON that contains no text';
  return { verdict: isText ? 'partly' : 'no', detail, limit: NO_STREAM };
}

function settle(visit: Visit, answer: Answer, manner: Visit['manner']): void {
  visit.manner = manner;
  visit.first = answer;
}

function missingFields(base: Visit['manner']['base']): string {
  const missing = ['max_output_tokens', 'store'].filter((field) => base[field] === undefined);
  return missing.length === 0 ? '' : `refuses ${missing.join(' and ')}`;
}

/** A model may use all its tokens for reasoning. */
function hasSaid({ text, items }: Answer): boolean {
  return text !== '' || items.some(({ type }) => type === 'reasoning');
}

function streamWords({ events, chunks, firstMs, hasEventLines }: Answer): string {
  const words = [
    `${events.length} events, the first after ${Math.round(firstMs)} ms`,
    !hasEventLines && 'no event: lines',
    !events.some((event) => 'sequence_number' in event) && 'no sequence numbers',
    !events.some((event) => 'output_index' in event) && 'no output indexes',
    chunks < 2 && events.length >= 12 && 'all of it at once',
  ];
  return words.filter(Boolean).join(', ');
}

const whole: Probe = {
  name: 'text without streaming',
  needs: [REACHABLE],
  run: async (visit) => {
    const isKnown = visit.first !== undefined;
    const { answer, manner } = isKnown
      ? { answer: await visit.ask({ ...HELLO, stream: false }), manner: visit.manner }
      : await findManner(visit, false);
    if (answer.kind !== 'answer') return { verdict: 'no', detail: answer.problem };
    if (!hasSaid(answer)) return { verdict: 'no', detail: 'JSON that contains no text' };
    if (!isKnown) settle(visit, answer, manner);
    if (answer.isStream) return { verdict: 'partly', detail: 'streams although no stream was requested' };
    return { verdict: 'yes', detail: `${Math.round(answer.ms)} ms` };
  },
};

const usage: Probe = {
  name: 'usage',
  needs: [STREAMED],
  run: ({ first }) =>
    first?.usage === undefined
      ? { verdict: 'no', detail: 'no tokens are counted', limit: 'usage is unknown' }
      : { verdict: 'yes', detail: `${first.usage.input} in, ${first.usage.output} out` },
};

export const texts: readonly Probe[] = [streamed, whole, usage];
