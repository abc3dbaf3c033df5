// A server of the SDK for revision 2026-07-28: `node server.mjs stdio|http [serve|reject]`. Over HTTP it prints its port.
import { createServer } from 'node:http';
import {
  createMcpHandler,
  fromJsonSchema,
  inputRequired,
  McpServer,
  acceptedContent,
} from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

// Long, for a server that has to be downloaded first.
await new Promise((resolve) => setTimeout(resolve, Number(process.env.START_MS ?? 0)));
const [, , way = 'stdio', legacy = 'serve'] = process.argv;
const text = (value) => ({ content: [{ type: 'text', text: value }] });
const any = fromJsonSchema({ type: 'object', properties: { text: { type: 'string' } } });
const readOnly = { readOnlyHint: true };
const wait = (ms, signal) =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => (clearTimeout(timer), reject(new Error('aborted'))));
  });
let writes = 0;
let cancelled = 0;
let extra = false;

function build() {
  const server = new McpServer(
    { name: 'modern', version: '1' },
    {
      instructions: 'Be kind.',
      capabilities: { tools: { listChanged: process.env.QUIET === undefined } },
      cacheHints: { 'tools/list': { ttlMs: Number(process.env.TTL_MS ?? 0) } },
    },
  );
  const add = (name, annotations, run) =>
    server.registerTool(name, { description: name, inputSchema: any, annotations }, run);
  add('echo', readOnly, ({ text: said = '' }) => text(`echo ${said}`));
  add('write', {}, () => text(`write ${(writes += 1)}`));
  add('writes', readOnly, () => text(String(writes)));
  add('meta', readOnly, (_args, ctx) =>
    text(JSON.stringify({ meta: ctx.mcpReq._meta ?? null, era: ctx.mcpReq.envelope === undefined ? 'old' : 'new' })),
  );
  add('cancelled', readOnly, () => text(String(cancelled)));
  add('sleep', readOnly, async (_args, ctx) => {
    try {
      await wait(20_000, ctx.mcpReq.signal);
    } catch {
      cancelled += 1;
    }
    return text('slept');
  });
  add('progress', readOnly, async (_args, ctx) => {
    for (let step = 1; step <= 6; step += 1) {
      await wait(100, ctx.mcpReq.signal);
      const progressToken = ctx.mcpReq._meta?.progressToken;
      if (progressToken !== undefined)
        await ctx.mcpReq.notify({
          method: 'notifications/progress',
          params: { progressToken, progress: step, total: 6 },
        });
    }
    return text('done');
  });
  add('ask', readOnly, (_args, ctx) => {
    const answer = acceptedContent(ctx.mcpReq.inputResponses, 'who');
    if (answer !== undefined) return text(`hello ${String(answer['name'])}, ${String(answer['mood'])}`);
    return inputRequired({
      inputRequests: {
        who: inputRequired.elicit({
          message: 'Who are you?',
          requestedSchema: {
            type: 'object',
            properties: { name: { type: 'string' }, mood: { type: 'string', default: 'glad' } },
          },
        }),
      },
    });
  });
  add('pid', readOnly, () => text(String(process.pid)));
  add('big', readOnly, () => text('x'.repeat(5_000_000)));
  add('die', readOnly, () => {
    process.stderr.write('I am dying of secret-of-env\n');
    setTimeout(() => process.exit(3), 20);
    return wait(5_000, new AbortController().signal);
  });
  add('die-writing', {}, () => process.exit(3));
  add('grow', readOnly, () => {
    extra = true;
    notify();
    return text('grown');
  });
  if (extra) add('extra', readOnly, () => text('extra'));
  onBuilt(server);
  return server;
}

let notify = () => {};
let onBuilt = () => {};
if (way === 'stdio') {
  onBuilt = (server) => {
    notify = () => {
      server.registerTool('extra', { inputSchema: any, annotations: readOnly }, () => text('extra'));
    };
  };
  process.stderr.write('ready on stdio\n');
  serveStdio(build, { legacy });
} else {
  const handler = createMcpHandler(build, legacy === 'reject' ? { legacy: 'reject' } : {});
  notify = () => handler.notify.toolsChanged();
  const seen = [];
  const serve = async (request, response) => {
    if (request.url === '/seen') return void response.end(JSON.stringify(seen));
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString();
    seen.push({ method: request.method, headers: request.headers, body: body === '' ? null : JSON.parse(body) });
    const controller = new AbortController();
    response.on('close', () => controller.abort());
    const answer = await handler.fetch(
      new Request(`http://127.0.0.1${request.url}`, {
        method: request.method,
        headers: request.headers,
        signal: controller.signal,
        ...(body === '' ? {} : { body }),
      }),
    );
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    if (answer.body === null) return void response.end();
    try {
      for await (const chunk of answer.body) response.write(chunk);
    } catch {
      // The client is gone.
    }
    response.end();
  };
  const http = createServer((request, response) => void serve(request, response));
  http.listen(Number(process.env.PORT ?? 0), '127.0.0.1', () => console.log(http.address().port));
}
