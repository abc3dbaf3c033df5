import type { JsonObject } from '../../../core/json.js';
import type { Profile } from '../../../core/profile.js';
import { asId, asNumber, asRecord, asRecords, asString } from '../../../util/guards.js';
import { type Answer, reasoningOf } from '../answer.js';
import type { Finding, Want } from '../point.js';
import { judged, may, message, type Probe, said } from '../probe.js';
import { SEALED } from './fields.js';

const reasoning: Probe = {
  name: 'reasoning',
  run: async (visit) => {
    const answer = await visit.ask({
      input: [message('Is 91 a prime number? Think first.')],
      reasoning: { effort: 'low', summary: 'auto' },
      max_output_tokens: visit.most(1_000),
      include: [SEALED],
    });
    // The same reasoning was accepted before without these settings.
    const thought = [answer, visit.thought].find((one) => one !== undefined && reasoningOf(one).length > 0);
    visit.thought = thought;
    if (thought !== undefined) return { verdict: 'yes', detail: shapeOf(thought) };
    const details = asRecord(asRecord(answer.body['usage'])?.['output_tokens_details']);
    if ((asNumber(details?.['reasoning_tokens']) ?? 0) > 0)
      return { verdict: 'partly', detail: 'its tokens are counted, and nothing is shown' };
    return judged(answer, { yes: () => ({ verdict: 'no', detail: 'this model shows none' }) });
  },
};

function shapeOf(thought: Answer): string {
  const { sealed, plain, summary } = partsOf(thought);
  const seal = sealed && (isPlainInside(sealed, plain) ? 'plain text in encrypted_content' : 'sealed');
  return [seal, plain && 'as text', summary && 'with a summary'].filter(Boolean).join(', ') || 'an empty item';
}

function partsOf(thought: Answer) {
  const items = reasoningOf(thought);
  const join = (member: string): string =>
    items.flatMap((item) => asRecords(item[member]).map((part) => asString(part['text']) ?? '')).join('');
  const sealed = items.map((item) => asId(item['encrypted_content'])).find((seal) => seal !== undefined);
  const deltas = thought.events.filter(({ type }) => /^response[.]reasoning(?:_text)?[.]delta$/.test(String(type)));
  const streamed = deltas.map(({ delta }) => asString(delta) ?? '').join('');
  return { sealed, plain: join('content') || streamed, summary: join('summary') };
}

/** Ollama sends plain reasoning there. Sealed reasoning has no spaces. */
function isPlainInside(sealed: string, plain: string): boolean {
  return sealed === plain || /\s/.test(sealed.trim());
}

type Replay = Profile['reasoningReplay'];

const QUESTION = message('Is 91 a prime number?');

const replay: Probe = {
  name: 'reasoning replay',
  needs: [reasoning.name],
  run: async (visit) => {
    const { thought } = visit;
    if (thought === undefined) return { verdict: 'unknown', detail: 'there is none to send back' };
    const { sealed, plain, summary } = partsOf(thought);
    const ask = (item: JsonObject) =>
      visit.ask({
        input: [QUESTION, { type: 'reasoning', ...item }, said('No.', visit.messageFields), message('Why?')],
      });
    const summaries = summary === '' ? [] : [{ type: 'summary_text', text: summary }];
    if (sealed !== undefined && !isPlainInside(sealed, plain))
      return replayed(await ask({ summary: summaries, encrypted_content: sealed }), 'encrypted');
    const text = plain || summary;
    if (text === '') return { verdict: 'no', detail: 'nothing of it can be sent back' };
    return replayed(await ask({ summary: [], content: [{ type: 'reasoning_text', text }] }), 'text');
  },
};

function replayed(answer: Answer, way: Replay): Finding {
  const detail = way === 'encrypted' ? 'sealed, as it came' : 'as plain text';
  const want: Want<Replay> = { works: (value) => value === way || value === 'none', best: way, isBetter: true };
  return judged(answer, {
    yes: () => ({
      verdict: 'yes',
      detail,
      wants: { reasoningReplay: want, ...(way === 'encrypted' ? { include: may([SEALED]) } : {}) },
    }),
    wants: { reasoningReplay: { works: (value) => value !== way, best: 'none' } },
    limit: 'the model forgets its reasoning between rounds',
  });
}

export const thinking: readonly Probe[] = [reasoning, replay];
