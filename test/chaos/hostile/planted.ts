import type { JsonObject } from '../../../src/core/json.js';
import { says } from './answers.js';
import { user } from './histories.js';
import type { CallOutcome, HostileObservation, Post } from './observation.js';
import type { Answer, HostileScenario, HostileSettings } from './scenario.js';

export const SETTINGS: HostileSettings = {
  backend: 'generic',
  carrier: 'metadata',
  toolParts: 'all',
  json: false,
  toolConcurrency: 1,
  keys: { count: 1, prefix: 'sk-', given: 'list' },
  maxRetries: 0,
  limits: {},
  maxToolOutputChars: 200_000,
  commentsMs: 900_000,
};
/** An ordinary call. */
export const SCENARIO: HostileScenario = {
  seed: -1,
  attack: 'echo',
  version: 'v3',
  method: 'doStream',
  settings: SETTINGS,
  posted: [user('Hello.')],
  answers: [says('let me look', { calls: [{ name: 'act', marker: 'M.a.0' }] }), says('answer')],
  repeatsLast: false,
  calls: 1,
  tools: 0,
  modelId: 'chaos-model',
  isHeavy: false,
};
/** What is changed to see whether it is found. */
export interface Planted {
  readonly scenario?: Partial<HostileScenario>;
  readonly observation?: Partial<HostileObservation>;
}

/** Changes what was seen of a call. */
export class Planter {
  readonly clean: HostileObservation;

  constructor(clean: HostileObservation) {
    this.clean = clean;
  }

  /** A change of the second request that was sent. */
  posts(change: (post: Post) => Partial<Post>): HostileObservation['posts'] {
    return this.clean.posts.map((post, number) => {
      if (number !== 1) return post;
      const changed = { ...post, ...change(post) };
      const body = { ...changed.body, ...(changed.input === post.input ? {} : { input: [...changed.input] }) };
      return { ...changed, body, text: JSON.stringify(body) };
    });
  }

  /** More items in it. */
  items(...items: readonly JsonObject[]): Planted {
    return { observation: { posts: this.posts(({ input }) => ({ input: [...input, ...items] })) } };
  }

  body(change: JsonObject): Planted {
    return { observation: { posts: this.posts(({ body }) => ({ body: { ...body, ...change } })) } };
  }

  outcome(change: Partial<CallOutcome>): Planted {
    return { observation: { outcomes: this.clean.outcomes.map((outcome) => ({ ...outcome, ...change })) } };
  }

  answer(answer: Answer, taken: number): Planted {
    return { observation: { posts: this.posts(() => ({ answer, meter: { taken } })) } };
  }

  run(tool: string, args: JsonObject, settings: Partial<HostileSettings> = {}): Planted {
    return {
      scenario: { settings: { ...SETTINGS, ...settings } },
      observation: { runs: [...this.clean.runs, { tool, args }] },
    };
  }
}
