import { defined } from '../../../util/defined.js';
import { asString } from '../../../util/guards.js';
import { modelEntries, modelNames, modelsURL, modelToAsk } from '../../models.js';
import { count } from '../../words.js';
import type { Answer } from '../answer.js';
import { causeOf } from '../../cause.js';
import type { Finding } from '../point.js';
import type { Probe } from '../probe.js';
import type { Visit } from '../visit.js';

interface Trait {
  readonly name: string;
  readonly profile?: string;
  readonly owner?: string;
  readonly header?: readonly [name: string, value: RegExp];
}

/** Signs of a server: the owner of its models (`owned_by`), or a header of its answers. */
const TRAITS: readonly Trait[] = [
  { name: 'llama.cpp', profile: 'llamacpp', owner: 'llamacpp' },
  { name: 'llama.cpp', profile: 'llamacpp', header: ['server', /^llama\.cpp/i] },
  { name: 'vLLM', profile: 'vllm', owner: 'vllm' },
  { name: 'Ollama', profile: 'ollama', owner: 'library' },
  { name: 'LM Studio', profile: 'lmstudio', owner: 'organization_owner' },
  { name: 'OpenAI', profile: 'openai', header: ['openai-version', /./] },
  { name: 'xAI', profile: 'xai', owner: 'xai' },
  { name: 'OpenRouter', profile: 'openrouter', header: ['x-generation-id', /./] },
  { name: 'aimock', owner: 'aimock' },
  { name: 'LiteLLM', header: ['x-litellm-version', /./] },
  { name: 'Portkey', header: ['x-portkey-provider', /./] },
  { name: 'OpenClaw', owner: 'openclaw' },
  { name: 'an Express application', header: ['x-powered-by', /^express/i] },
];

export const REACHABLE = 'reachable';

export const reach: Probe = {
  name: REACHABLE,
  run: async (visit) => {
    const { url } = visit.manner;
    const answer = await visit.get(modelsURL(url));
    if (answer.status === 0)
      return { verdict: 'no', detail: answer.problem, ...defined({ limit: causeOf(answer, visit, url) }) };
    const models = modelNames(answer.body);
    visit.models = models;
    visit.model ??= modelToAsk(models);
    const what = recognise(visit, answer);
    return withModel(visit, answer, [listWords(answer, models), ...(what === undefined ? [] : [`looks like ${what}`])]);
  },
};

const NO_MODEL = 'no model to ask: name one with --model';

function withModel(visit: Visit, answer: Answer, words: readonly string[]): Finding {
  const { model } = visit;
  if (model !== undefined) {
    const verdict = answer.kind === 'answer' ? 'yes' : 'partly';
    return { verdict, detail: [...words, `tested with model ${JSON.stringify(model)}`].join('; ') };
  }
  // Without its key a server may list nothing; then the key is the fault.
  const isRefused = answer.status === 401 || answer.status === 403;
  const cause = isRefused ? causeOf(answer, visit, visit.manner.url) : undefined;
  return { verdict: 'no', detail: [...words, NO_MODEL].join('; '), limit: cause ?? NO_MODEL };
}

function listWords(answer: Answer, models: readonly string[]): string {
  if (answer.kind !== 'answer') return `answers; GET models: ${answer.problem}`;
  return `lists ${count(models.length, 'model')}`;
}

function recognise(visit: Visit, answer: Answer): string | undefined {
  const owners = new Set(modelEntries(answer.body).map((entry) => asString(entry['owned_by'])));
  const trait = TRAITS.find(({ owner, header }) =>
    header === undefined ? owners.has(owner) : header[1].test(answer.headers[header[0]] ?? ''),
  );
  visit.looksLike = trait?.profile;
  visit.what = trait?.name;
  return trait?.name;
}
