import { createOpenAI } from '@ai-sdk/openai';
import { createOpenResponses } from '@ai-sdk/open-responses';
import { createParser } from 'eventsource-parser';
import OpenAI from 'openai';
import { createResponsesProvider } from 'responses-loop/v3';
import { FLOOR, OPEN_RESPONSES, OPENAI_SDK, OURS, STOCK } from './names.mjs';

const MODEL = 'gpt-5.1';
const DEFAULT_URL = 'http://127.0.0.1:9/v1';
const API_KEY = 'sk-bench';

const user = (text) => ({ role: 'user', content: [{ type: 'text', text }] });
export const PROMPT = [user('What do the ducks do?')];

/** Each maker of a model of the AI SDK; `settings` are further ones of ours. */
export const MODELS = {
  [OURS]: ({ fetch, baseURL = DEFAULT_URL, ...settings }) =>
    createResponsesProvider({ apiKey: API_KEY, baseURL, fetch, backend: 'openai', ...settings })(MODEL),
  [STOCK]: ({ fetch, baseURL = DEFAULT_URL }) => createOpenAI({ apiKey: API_KEY, baseURL, fetch }).responses(MODEL),
  [OPEN_RESPONSES]: ({ fetch, baseURL = DEFAULT_URL }) =>
    createOpenResponses({ name: 'bench', apiKey: API_KEY, url: `${baseURL}/responses`, fetch })(MODEL),
};

/** All that stream a text, in their own way; `read` tells every delta. */
export function textContenders({ fetch, baseURL, names = [OURS, FLOOR, OPEN_RESPONSES, STOCK, OPENAI_SDK] }) {
  return names.map((name) => ({ name, read: readerOf(name, { fetch, baseURL }) }));
}

function readerOf(name, { fetch, baseURL = DEFAULT_URL }) {
  if (name === FLOOR) return (onText) => readFloor(fetch, `${baseURL}/responses`, textOfDelta(onText));
  if (name === OPENAI_SDK) return officialReader(fetch, baseURL);
  const model = MODELS[name]({ fetch, baseURL });
  return (onText) => readModel(model, { prompt: PROMPT }, onText);
}

const textOfDelta = (onText) => (event) => {
  if (event.type === 'response.output_text.delta') onText(event.delta);
};

/** Bytes, messages, JSON: what nobody can do without. Nothing is kept. */
export async function readFloor(fetch, url, onEvent, body = '{"model":"gpt-5.1","input":"","stream":true}') {
  const response = await fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  const parser = createParser({ onEvent: ({ data }) => onEvent(JSON.parse(data)) });
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    parser.feed(decoder.decode(value, { stream: true }));
  }
}

function officialReader(fetch, baseURL) {
  const client = new OpenAI({ apiKey: API_KEY, baseURL, fetch, maxRetries: 0 });
  return async (onText) => {
    const stream = await client.responses.create({ model: MODEL, input: 'What do the ducks do?', stream: true });
    for await (const event of stream) if (event.type === 'response.output_text.delta') onText(event.delta);
  };
}

/** The provider layer: what `streamText` reads from. */
export async function readModel(model, options, onText, onPart) {
  const { stream } = await model.doStream(options);
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    if (value.type === 'text-delta') onText(value.delta);
    else if (value.type === 'error') throw value.error;
    onPart?.(value);
  }
}

/** Runs every contender once and compares what came out, so that nobody wins by dropping work. */
export async function expectSame(contenders, expected) {
  for (const { name, read } of contenders) {
    let text = '';
    await read((delta) => {
      text += delta;
    });
    if (text !== expected)
      throw new Error(`${name} gave another text: ${text.length} characters, not ${expected.length}`);
  }
}

/** Reads and counts: keeping the text would be a cost of the consumer. */
export async function readCounting({ name, read }, expectedLength) {
  let length = 0;
  await read((delta) => {
    length += delta.length;
  });
  if (length !== expectedLength) throw new Error(`${name} gave ${length} characters, not ${expectedLength}`);
}
