import type { JsonObject } from '../../../core/json.js';
import { asId } from '../../../util/guards.js';
import { type Answer, errorWords } from '../answer.js';
import { HELLO } from '../find-manner.js';
import { judged, message, type Probe, type Role, said, saysNothing } from '../probe.js';
import type { Visit } from '../visit.js';

/** `partly`: what no server could take is answered. */
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

const NO_KEY = { requiresKey: { works: (value: boolean) => !value, best: false } };

function role(name: Role): Probe {
  return {
    name: `${name} role`,
    run: async (visit) => {
      const input = [message('Be brief.', name), message('Say the word ok.')];
      return judged(await visit.ask({ input }), {
        wants: { systemRole: { works: (value) => value !== name, best: name === 'system' ? 'developer' : 'system' } },
        ...(name === 'system' ? { limit: 'system prompts need the role developer' } : {}),
      });
    },
  };
}

const unknownFields: Probe = {
  name: 'unknown fields ignored',
  run: async (visit) => {
    const answer = await visit.ask({ ...HELLO, x_no_such_field: 'x' });
    visit.ignoresUnknown = answer.kind === 'answer';
    if (visit.ignoresUnknown) return { verdict: 'yes', detail: 'ignored' };
    return judged(answer);
  },
};

const ENGINE: Readonly<Record<string, JsonObject[string]>> = {
  top_k: 40,
  seed: 7,
  presence_penalty: 0.1,
  frequency_penalty: 0.1,
  stop: ['\n\n\n\n'],
};

const engine: Probe = {
  name: 'settings of the engine',
  run: async (visit) => {
    const answer = await visit.ask({ ...HELLO, ...ENGINE });
    const names = Object.keys(ENGINE);
    if (answer.kind === 'answer' && visit.ignoresUnknown)
      return { verdict: 'unknown', detail: `${names.join(', ')}: taken or ignored` };
    if (answer.kind === 'answer') return { verdict: 'yes', detail: names.join(', '), wants: takes(names) };
    if (saysNothing(answer)) return { verdict: 'unknown', detail: answer.problem };
    const taken = await takenAlone(visit, names);
    const detail = taken.length === 0 ? 'none is taken' : `takes ${taken.join(', ')} only`;
    return { verdict: taken.length === 0 ? 'no' : 'partly', detail, wants: takes(taken) };
  },
};

async function takenAlone(visit: Visit, names: readonly string[]): Promise<string[]> {
  const taken: string[] = [];
  for (const name of names) {
    const answer = await visit.ask({ ...HELLO, [name]: ENGINE[name] });
    if (answer.kind === 'answer') taken.push(name);
  }
  return taken;
}

function takes(names: readonly string[]) {
  const works = (fields: readonly string[]): boolean => fields.every((field) => names.includes(field));
  return { vendorFields: { works, best: names, isBetter: names.length > 0 } };
}

const temperature: Probe = {
  name: 'temperature',
  run: async (visit) => {
    const refusesIt = (models: readonly RegExp[]): boolean => models.some((model) => model.test(visit.model ?? ''));
    return judged(await visit.ask({ ...HELLO, temperature: 0.5 }), {
      yes: () => ({
        verdict: 'yes',
        detail: 'taken',
        wants: { reasoningModels: { works: () => true, best: [] } },
      }),
      wants: { reasoningModels: { works: refusesIt, best: [/^/] } },
    });
  },
};

const include: Probe = {
  name: 'include',
  run: async (visit) => {
    const field = 'reasoning.encrypted_content';
    return judged(await visit.ask({ ...HELLO, include: [field] }), {
      yes: () =>
        visit.ignoresUnknown
          ? { verdict: 'unknown', detail: `${field}: taken or ignored` }
          : { verdict: 'yes', detail: field },
      wants: { include: { works: (value) => value.length === 0, best: [] } },
    });
  },
};

const state: Probe = {
  name: 'store and previous_response_id',
  run: async (visit) => {
    const lost = await visit.ask({ ...HELLO, previous_response_id: 'resp_doctor_no_such_response' });
    if (lost.kind === 'answer') return { verdict: 'no', detail: 'a response that does not exist is ignored' };
    if (saysNothing(lost)) return { verdict: 'unknown', detail: lost.problem };
    const kept = await visit.ask({ ...HELLO, store: true });
    if (kept.kind !== 'answer') return judged(kept);
    const id = idOf(kept);
    const next = await visit.ask({ ...HELLO, store: true, ...(id === undefined ? {} : { previous_response_id: id }) });
    if (next.kind === 'answer' && id !== undefined) return { verdict: 'yes', detail: 'goes on from a stored response' };
    return saysNothing(next) ? { verdict: 'unknown', detail: next.problem } : { verdict: 'no', detail: lost.problem };
  },
};

function idOf({ body }: Answer): string | undefined {
  return asId(body['id']);
}

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
  role('system'),
  role('developer'),
  ids,
  unknownFields,
  engine,
  temperature,
  include,
  state,
];
