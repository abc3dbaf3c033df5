import * as ai from 'ai';
import { describe, expect, it, onTestFinished } from 'vitest';
import { calls, reply, rig, says } from '../acceptance/support/rig.js';
import { adder } from '../acceptance/support/tools.js';
import * as v3 from '../../src/v3.js';
import * as v4 from '../../src/v4.js';
import { nameOf } from './pairings.js';
import { sdk, spec } from './support/sdk.js';

/** What the SDK prints for a user who did not switch it off. */
function loggedWarnings(): unknown[] {
  const logged: unknown[] = [];
  // `ai` 5 gives the warnings, the others an object around them.
  globalThis.AI_SDK_LOG_WARNINGS = (given: unknown[] | { warnings: unknown[] }) =>
    void logged.push(...(Array.isArray(given) ? given : given.warnings));
  onTestFinished(() => {
    globalThis.AI_SDK_LOG_WARNINGS = false;
  });
  return logged;
}

describe(nameOf({ sdk, spec }), () => {
  it('is the pairing it says it is', async () => {
    const { model } = await rig([]);
    expect(model.specificationVersion).toBe(spec);
    const major = 'isStepCount' in ai ? 7 : 'ToolLoopAgent' in ai ? 6 : 5;
    expect(major).toBe(sdk);
  });

  it.each(['stream', 'generate'] as const)(
    'the SDK warns of a compatibility mode exactly where a V2 model meets a later major (%s)',
    async (road) => {
      const logged = loggedWarnings();
      const { model } = await rig([reply(calls('resp_1', ['add', { a: 1, b: 1 }])), reply(says('resp_2', 'Two.'))], {
        tools: { add: adder().add },
      });
      const options = { model, prompt: 'Add.' };
      const result = road === 'stream' ? ai.streamText(options) : await ai.generateText(options);
      expect(await result.text).toBe('Two.');
      const compatibility = { type: 'compatibility', feature: 'specificationVersion' };
      expect(logged).toMatchObject(spec === 'v2' && sdk !== 5 ? [compatibility] : []);
    },
  );
});

describe('a specification that this SDK does not know', () => {
  const later = [v3, v4].map(({ createResponsesProvider }) =>
    createResponsesProvider({ baseURL: 'http://localhost:1/v1' }),
  );
  const refused = later.map((provider) => provider('gpt-test')).slice(sdk - 5);

  it.runIf(refused.length > 0)('is refused by name, before anything is sent', async () => {
    for (const model of refused) {
      const call = async (): Promise<unknown> =>
        ai.generateText({ model: model as unknown as ai.LanguageModel, prompt: 'Hi' });
      await expect(call()).rejects.toMatchObject({
        name: 'AI_UnsupportedModelVersionError',
        message: expect.stringContaining(model.specificationVersion) as string,
      });
    }
  });
});
