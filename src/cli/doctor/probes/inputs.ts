import { asRecord, asString } from '../../../util/guards.js';
import { parsed } from '../answer.js';
import { HELLO } from '../find-manner.js';
import { judged, message, type Probe } from '../probe.js';
import { RED_PICTURE, servePicture, SMALL_PDF } from './pictures.js';
import type { JsonObject } from '../../../core/json.js';

const SCHEMA: JsonObject = {
  type: 'object',
  properties: { colour: { type: 'string', enum: ['red', 'green'] } },
  required: ['colour'],
  additionalProperties: false,
};

const structured: Probe = {
  name: 'structured output',
  run: async (visit) => {
    const format = { type: 'json_schema', name: 'choice', schema: SCHEMA, strict: true };
    const limit = 'generateObject may find no object';
    return judged(await visit.ask({ input: [message('Choose a colour.')], text: { format } }), {
      limit,
      yes: ({ text }) => {
        const colour = asString(asRecord(parsed(text))?.['colour']);
        if (colour === 'red' || colour === 'green') return { verdict: 'yes', detail: text.trim() };
        return { verdict: 'no', detail: 'the schema is ignored', limit };
      },
    });
  },
};

function seeing(content: JsonObject): JsonObject {
  const question = { type: 'input_text', text: 'Which colour is this? Answer with one word.' };
  return { type: 'message', role: 'user', content: [question, content] };
}

const images: Probe = {
  name: 'images',
  run: async (visit) =>
    judged(await visit.ask({ input: [seeing({ type: 'input_image', image_url: RED_PICTURE, detail: 'low' })] }), {
      limit: 'no images for this model',
      yes: ({ text }) => {
        visit.seesImages = /red/i.test(text);
        if (visit.seesImages) return { verdict: 'yes', detail: 'seen' };
        const detail = 'taken, but the answer does not name the colour';
        return { verdict: 'partly', detail, limit: 'images may not be seen' };
      },
    }),
};

const imageUrls: Probe = {
  name: 'images by URL',
  needs: [images.name],
  run: async (visit) => {
    if (!isHere(visit.manner.url))
      return { verdict: 'unknown', detail: 'only a server on this machine could fetch a picture from here' };
    const served = await servePicture();
    try {
      const answer = await visit.ask({
        input: [seeing({ type: 'input_image', image_url: served.url, detail: 'low' })],
      });
      const fetched = { inputUrls: { works: () => true, best: true, isBetter: true } };
      const unfetched = { inputUrls: { works: (value: boolean) => !value, best: false } };
      if (served.isFetched()) return { verdict: 'yes', detail: 'fetched', wants: fetched };
      return judged(answer, {
        wants: unfetched,
        // What looks at no image at all has no reason to fetch one.
        yes: () => ({
          verdict: 'no',
          detail: 'taken, but not fetched',
          ...(visit.seesImages ? { wants: unfetched } : {}),
        }),
      });
    } finally {
      await served.close();
    }
  },
};

function isHere(url: string): boolean {
  return /^(?:localhost|127\..*|\[::1\])$/.test(new URL(url).hostname);
}

const files: Probe = {
  name: 'files',
  run: async (visit) => {
    const file = { type: 'input_file', filename: 'doctor.pdf', file_data: SMALL_PDF };
    return judged(await visit.ask({ input: [seeing(file)] }), {
      yes: () => ({
        verdict: 'yes',
        detail: 'taken',
        wants: { inputFiles: { works: () => true, best: true, isBetter: true } },
      }),
      limit: 'no files but images',
      wants: { inputFiles: { works: (value) => !value, best: false } },
    });
  },
};

const hosted: Probe = {
  name: 'tools of the server',
  run: async (visit) => {
    const ask = (type: string) => visit.ask({ ...HELLO, tools: [{ type }], tool_choice: 'none' });
    const none = { hostedTools: { works: (value: 'any' | readonly string[]) => value !== 'any', best: [] } };
    const [madeUp, search] = [await ask('no_such_tool'), await ask('web_search')];
    if (search.kind !== 'answer') return judged(search, { wants: none });
    if (madeUp.kind !== 'answer') return { verdict: 'yes', detail: 'web_search is taken', wants: ANY_TOOL };
    const wants = { hostedTools: { ...none.hostedTools, works: () => true } };
    return { verdict: 'unknown', detail: 'kinds that do not exist are taken, too', wants };
  },
};

const ANY_TOOL = {
  hostedTools: { works: (value: 'any' | readonly string[]) => value === 'any', best: 'any' as const },
};

export const inputs: readonly Probe[] = [structured, images, imageUrls, files, hosted];
