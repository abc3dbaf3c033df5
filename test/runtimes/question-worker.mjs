// The Worker of examples/ask-in-page-worker.ts in workerd: a question waits in one request, another one brings its answer.
import { setTimeout } from 'node:timers/promises';
import { Miniflare, supportedCompatibilityDate } from 'miniflare';
import { createScriptedServer, responseEvents } from 'responses-loop/testing';
import { bundleWorker } from './bundle-worker.mjs';

/** Longer than the pause between two signs of life, so that the Worker has noticed that the user has left. */
const NOTICED_MS = 3000;
const SLOWLY = 'Look at the pond slowly.';
const QUESTION = /"type":"data-question","id":"([^"]+)"/;

/** Answers with what was checked, and whether it holds. */
export async function runQuestionWorker() {
  const script = await bundleWorker('ask-in-page-worker.ts', ['node:*']);
  const outputs = [];
  const model = await createScriptedServer({
    otherwise: ({ input }) => {
      const last = input.at(-1);
      if (JSON.stringify(last).includes(SLOWLY)) {
        return [setTimeout(NOTICED_MS), ...responseEvents({ output: [{ type: 'call', name: 'look', arguments: {} }] })];
      }
      if (last.type !== 'function_call_output') return { output: [{ type: 'call', name: 'drain', arguments: {} }] };
      outputs.push(last.output);
      return `Read: ${JSON.stringify(last.output)}`;
    },
  });
  const worker = new Miniflare({
    modules: [{ type: 'ESModule', path: 'worker.mjs', contents: script }],
    compatibilityDate: supportedCompatibilityDate,
    // As in `wrangler.jsonc` of docs/approval-flow.md.
    compatibilityFlags: ['nodejs_compat', 'enable_request_signal'],
    durableObjects: { CHAT: 'Chat' },
    bindings: { OPENAI_BASE_URL: model.baseURL, OPENAI_API_KEY: 'sk-for-tests' },
  });
  try {
    const base = await worker.ready;
    return [
      await answered(base, true, (text) => text.includes('"output":"dry"') && text.includes('[DONE]')),
      await answered(base, false, (text) => text.includes('was denied') && text.includes('[DONE]')),
      await left(base, outputs),
      await leftWithoutQuestion(base, outputs),
    ];
  } finally {
    await worker.dispose();
    await model.close();
  }
}

const post = (base, path, body, signal) =>
  fetch(new URL(`${path}?chat=pond`, base), { method: 'POST', body: JSON.stringify(body), signal });

const say = (base, text, signal) =>
  post(base, '/api/chat', { messages: [{ id: '1', role: 'user', parts: [{ type: 'text', text }] }] }, signal);

/** Begins a chat, and reads until the question. */
async function ask(base, signal) {
  const { body } = await say(base, 'Drain the pond.', signal);
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  while (!QUESTION.test(text)) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`The stream ended without a question: ${text}`);
    text += value;
  }
  return { id: QUESTION.exec(text)[1], reader };
}

async function answered(base, approved, isRight) {
  const { id, reader } = await ask(base);
  await setTimeout(NOTICED_MS);
  const { status } = await post(base, '/api/answer', { id, approved });
  let text = '';
  for (let read = await reader.read(); !read.done; read = await reader.read()) text += read.value;
  const name = `a question that waits is ${approved ? 'approved' : 'denied'} by another request`;
  return { name, ok: status === 204 && isRight(text), error: `${status} ${text}` };
}

async function left(base, outputs) {
  const before = outputs.length;
  const user = new AbortController();
  const { id } = await ask(base, user.signal);
  user.abort();
  await setTimeout(NOTICED_MS);
  const { status } = await post(base, '/api/answer', { id, approved: true });
  await setTimeout(NOTICED_MS / 3);
  const ok = status === 404 && outputs.length === before;
  return { name: 'no tool runs after the user has left', ok, error: `${status} ${outputs.slice(before).join()}` };
}

/** Nothing is written but signs of life while the model thinks. */
async function leftWithoutQuestion(base, outputs) {
  const before = outputs.length;
  const user = new AbortController();
  const { body } = await say(base, SLOWLY, user.signal);
  await body.getReader().read();
  user.abort();
  await setTimeout(2 * NOTICED_MS);
  const seen = outputs.slice(before);
  return {
    name: 'no tool runs after the user has left while no question was open',
    ok: seen.length === 0,
    error: seen.join(),
  };
}
