import { describe, expect, it } from 'vitest';
import { answer, EVERY_WAY, user, VERSIONS } from './support/any-version.js';
import { calls, reply, rigOf, says } from './support/rig.js';
import { toolOf } from './support/tools.js';
import { outline } from './support/wire.js';

describe.each(EVERY_WAY)(
  'a text between two rounds, if the server keeps the conversation, with %s and %s',
  (version, method) => {
    it('is sent behind the outputs of the round before', async () => {
      const { model, requests } = await rigOf(
        VERSIONS[version],
        [
          reply(calls('resp_1', ['look', {}, 'call_1'])),
          reply(calls('resp_2', ['look', {}, 'call_2'])),
          reply(says('resp_3', 'Done.')),
        ],
        {
          backend: 'openai',
          tools: { look: toolOf(() => 'seen') },
          prepareRound: ({ roundNumber }) => (roundNumber === 1 ? { addMessages: ['Hurry.'] } : undefined),
        },
      );
      await answer(model, method, { prompt: [user('Go.')], providerOptions: { openai: { store: true } } });
      expect(requests.map(outline)).toEqual([['user Go.'], ['output seen', 'user Hurry.'], ['output seen']]);
      expect(requests.map(({ body }) => body['previous_response_id'])).toEqual([undefined, 'resp_1', 'resp_2']);
    });
  },
);
