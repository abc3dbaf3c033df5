import type { JsonObject } from '../../../core/json.js';
import { asRecord, asString } from '../../../util/guards.js';
import { parseJson } from '../../../util/json.js';
import { isHere } from '../../is-here.js';
import { HELLO } from '../find-manner.js';
import type { Wants } from '../point.js';
import { asking, judged, may, message, must, type Probe, taken } from '../probe.js';
import { RED_PICTURE, servePicture, SMALL_PDF } from './pictures.js';

const SCHEMA: JsonObject = {
  type: 'object',
  properties: { colour: { type: 'string', enum: ['red', 'green'] } },
  required: ['colour'],
  additionalProperties: false,
};

const NO_OBJECT = 'generateObject may fail to return an object';
const FORMAT = { type: 'json_schema', name: 'choice', schema: SCHEMA, strict: true };

const structured = asking(
  'structured output',
  { input: [message('Choose a colour.')], text: { format: FORMAT } },
  {
    limit: NO_OBJECT,
    yes: ({ text }) => {
      const colour = asString(asRecord(parseJson(text))?.['colour']);
      if (colour === 'red' || colour === 'green') return { verdict: 'yes', detail: text.trim() };
      return { verdict: 'no', detail: 'the schema is ignored', limit: NO_OBJECT };
    },
  },
);

function seeing(content: JsonObject): JsonObject {
  const question = { type: 'input_text', text: 'Which colour is this? Answer with one word.' };
  return { input: [{ type: 'message', role: 'user', content: [question, content] }] };
}

function seeingImage(url: string): JsonObject {
  return seeing({ type: 'input_image', image_url: url, detail: 'low' });
}

const images = asking('images', seeingImage(RED_PICTURE), (visit) => ({
  limit: 'the model does not accept images',
  yes: ({ text }) => {
    visit.seesImages = /red/i.test(text);
    if (visit.seesImages) return { verdict: 'yes', detail: 'seen' };
    const detail = 'taken, but the answer does not name the colour';
    return { verdict: 'partly', detail, limit: 'images may not be seen' };
  },
}));

const UNFETCHED: Wants = { inputUrls: must(false) };

const imageUrls: Probe = {
  name: 'images by URL',
  needs: [images.name],
  run: async (visit) => {
    if (!isHere(visit.manner.url))
      return { verdict: 'unknown', detail: 'only a server on this machine could fetch a picture from here' };
    const served = await servePicture();
    try {
      const answer = await visit.ask(seeingImage(served.url));
      if (served.isFetched()) return { verdict: 'yes', detail: 'fetched', wants: { inputUrls: may(true) } };
      return judged(answer, {
        wants: UNFETCHED,
        // A model without vision has no reason to fetch a picture.
        yes: () => ({ verdict: 'no', detail: 'taken, but not fetched', wants: visit.seesImages ? UNFETCHED : {} }),
      });
    } finally {
      await served.close();
    }
  },
};

const files = asking('files', seeing({ type: 'input_file', filename: 'doctor.pdf', file_data: SMALL_PDF }), {
  yes: () => taken({ inputFiles: may(true) }),
  limit: 'no files but images',
  wants: { inputFiles: must(false) },
});

const hosted: Probe = {
  name: 'server tools',
  run: async (visit) => {
    const ask = (type: string) => visit.ask({ ...HELLO, tools: [{ type }], tool_choice: 'none' });
    const [madeUp, search] = [await ask('no_such_tool'), await ask('web_search')];
    if (search.kind !== 'answer')
      return judged(search, { wants: { hostedTools: { works: (value) => value !== 'any', best: [] } } });
    if (madeUp.kind !== 'answer')
      return { verdict: 'yes', detail: 'web_search is taken', wants: { hostedTools: must('any') } };
    const wants: Wants = { hostedTools: { works: () => true, best: [] } };
    return { verdict: 'unknown', detail: 'accepts kinds that do not exist', wants };
  },
};

export const inputs: readonly Probe[] = [structured, images, imageUrls, files, hosted];
