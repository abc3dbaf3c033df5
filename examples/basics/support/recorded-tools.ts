import type { ResponsesProviderSettings } from 'responses-loop';

/** Tools with the names and answers of the recorded conversations. */
export const recordedTools: NonNullable<ResponsesProviderSettings['tools']> = {
  get_weather: {
    description: 'The weather of a city.',
    inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    execute: ({ city }) => ({ temperature: { Oslo: 4, Rome: 19, Cairo: 27 }[String(city)] ?? 24 }),
  },
  read_text_file: {
    description: 'Reads a file.',
    inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
    execute: ({ path }) => {
      throw new Error(`ENOENT: no such file or directory, open '${String(path)}'`);
    },
  },
};
