import type { JsonObject } from '../../../core/json.js';
import { defined } from '../../../util/defined.js';
import { asId } from '../../../util/guards.js';
import { errorWords } from '../answer.js';
import { HELLO } from '../find-manner.js';
import type { Wants } from '../point.js';
import { asking, judged, message, must, type Probe, type Role, said, saysNothing, taken } from '../probe.js';
import type { Visit } from '../visit.js';

/** `partly`: the server answers what it cannot have understood. */
export const CHECKS = 'error shapes';

const errors: Probe = {
  name: CHECKS,
  run: async (visit) => {
    const answer = await visit.ask({ input: 17 });
    if (answer.kind === 'answer') return { verdict: 'partly', detail: 'an input of 17 is answered' };
    if (saysNothing(answer)) return { verdict: 'unknown', detail: answer.problem };
    const isUsual = answer.status >= 400 && answer.status < 500 && errorWords(answer.body) !== undefined;
    return { verdict: isUsual ? 'yes' : 'no', detail: `an input of 17: ${answer.problem}` };
  },
};

const key: Probe = {
  name: 'key required',
  run: async (visit) => {
    if (!visit.hasKey) return { verdict: 'no', detail: 'answers without one', wants: NO_KEY };
    const answer = await visit.ask(HELLO, { withoutKey: true });
    const isRefused = answer.status === 401 || answer.status === 403;
    if (isRefused) return { verdict: 'yes', detail: `${answer.status} without one` };
    return judged(answer, { yes: () => ({ verdict: 'no', detail: 'answers without one, too' }) });
  },
};

const NO_KEY: Wants = { requiresKey: must(false) };

function role(name: Role, best: 'system' | 'developer', limit?: string): Probe {
  const input = [message('Be brief.', name), message('Say the word ok.')];
  const wants: Wants = { systemRole: { works: (value) => value !== name, best } };
  return asking(`${name} role`, { input }, { wants, ...defined({ limit }) });
}

const unknownFields = asking('unknown fields ignored', { ...HELLO, x_no_such_field: 'x' }, (visit) => ({
  yes: () => {
    visit.ignoresUnknown = true;
    return { verdict: 'yes', detail: 'ignored' };
  },
}));

const ENGINE: Readonly<Record<string, JsonObject[string]>> = {
  top_k: 40,
  seed: 7,
  presence_penalty: 0.1,
  frequency_penalty: 0.1,
  stop: ['\n\n\n\n'],
};

const engine: Probe = {
  name: 'engine settings',
  run: async (visit) => {
    const answer = await visit.ask({ ...HELLO, ...ENGINE });
    const names = Object.keys(ENGINE);
    if (answer.kind === 'answer' && visit.ignoresUnknown)
      return { verdict: 'unknown', detail: `${names.join(', ')}: taken or ignored` };
    if (answer.kind === 'answer') return { verdict: 'yes', detail: names.join(', '), wants: takes(names) };
    if (saysNothing(answer)) return { verdict: 'unknown', detail: answer.problem };
    const alone = await takenAlone(visit, names);
    const wants = takes(alone);
    if (alone.length === 0) return { verdict: 'no', detail: 'none is taken', wants };
    return { verdict: 'partly', detail: `takes ${alone.join(', ')} only`, wants };
  },
};

async function takenAlone(visit: Visit, names: readonly string[]): Promise<string[]> {
  const alone: string[] = [];
  for (const name of names) {
    const answer = await visit.ask({ ...HELLO, [name]: ENGINE[name] });
    if (answer.kind === 'answer') alone.push(name);
  }
  return alone;
}

function takes(names: readonly string[]): Wants {
  const works = (fields: readonly string[]): boolean => fields.every((field) => names.includes(field));
  return { vendorFields: { works, best: names, isBetter: names.length > 0 } };
}

const temperature = asking('temperature', { ...HELLO, temperature: 0.5 }, ({ model = '' }) => ({
  yes: () => taken({ reasoningModels: { works: () => true, best: [] } }),
  wants: { reasoningModels: { works: (models) => models.some((one) => one.test(model)), best: [/^/] } },
}));

export const SEALED = 'reasoning.encrypted_content';

const include = asking('include', { ...HELLO, include: [SEALED] }, ({ ignoresUnknown }) => ({
  yes: () =>
    ignoresUnknown ? { verdict: 'unknown', detail: `${SEALED}: taken or ignored` } : { verdict: 'yes', detail: SEALED },
  wants: { include: { works: (value) => value.length === 0, best: [] } },
}));

const state: Probe = {
  name: 'store and previous_response_id',
  run: async (visit) => {
    const lost = await visit.ask({ ...HELLO, previous_response_id: 'resp_doctor_no_such_response' });
    if (lost.kind === 'answer') return { verdict: 'no', detail: 'a response that does not exist is ignored' };
    if (saysNothing(lost)) return { verdict: 'unknown', detail: lost.problem };
    const kept = await visit.ask({ ...HELLO, store: true });
    if (kept.kind !== 'answer') return judged(kept);
    const id = asId(kept.body['id']);
    const next = await visit.ask({ ...HELLO, store: true, previous_response_id: id });
    if (next.kind === 'answer' && id !== undefined) return { verdict: 'yes', detail: 'goes on from a stored response' };
    return saysNothing(next) ? { verdict: 'unknown', detail: next.problem } : { verdict: 'no', detail: lost.problem };
  },
};

const MADE_UP: JsonObject = { id: 'msg_0123456789abcdef' };

const ids: Probe = {
  name: 'assistant messages',
  run: async (visit) => {
    const ask = (extra: JsonObject) =>
      visit.ask({ input: [message('Say ok.'), said('ok', extra), message('Say it again.')] });
    const [without, withId] = [await ask({}), await ask(MADE_UP)];
    const modes = { omit: without.kind === 'answer', synthetic: withId.kind === 'answer' };
    if (!modes.omit && !modes.synthetic) return judged(without, { limit: 'a conversation cannot be gone on with' });
    const best = modes.omit ? 'omit' : 'synthetic';
    visit.messageFields = modes.omit ? {} : MADE_UP;
    const words = { omit: modes.synthetic ? 'with and without ids' : 'without ids only', synthetic: 'with ids only' };
    const works = (mode: 'omit' | 'synthetic'): boolean => modes[mode];
    return { verdict: 'yes', detail: words[best], wants: { assistantMessageIds: { works, best } } };
  },
};

export const fields: readonly Probe[] = [
  errors,
  key,
  role('system', 'developer', 'system prompts need the role developer'),
  role('developer', 'system'),
  ids,
  unknownFields,
  engine,
  temperature,
  include,
  state,
];
