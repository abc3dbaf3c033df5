import { fork } from 'node:child_process';
import { once } from 'node:events';
import { MODELS, readModel, PROMPT, textContenders } from './support/contenders.mjs';
import { OPEN_RESPONSES, OURS, STOCK, FLOOR, OPENAI_SDK } from './support/names.mjs';
import { createResponsesProvider as old } from './node_modules/rl-old/dist/v3.js';
const DELTAS = ['The', ' ducks', ' swim', '.'];
const server = fork(new URL('./children/server.mjs', import.meta.url).pathname, DELTAS);
const [port] = await once(server, 'message');
import dc from 'node:diagnostics_channel'; let ts; dc.subscribe('undici:client:sendHeaders', () => { ts = performance.now(); });
let t1, t2;
const f = async (...a) => { t1 = performance.now(); const r = await fetch(...a); t2 = performance.now(); return r; };
const baseURL = `http://127.0.0.1:${port}/v1`;
const OLD = 'old';
const oldModel = old({ apiKey: 'sk-bench', baseURL, fetch: f, backend: 'openai' })('gpt-5.1');
const cs = [...textContenders({ fetch: f, baseURL, names: [OURS, FLOOR, OPEN_RESPONSES, STOCK, OPENAI_SDK] }), { name: OLD, read: (t) => readModel(oldModel, { prompt: PROMPT }, t) }];
const warm = Number(process.argv[2] ?? 100), R = Number(process.argv[3] ?? 500);
const S = new Map(cs.map((c) => [c.name, []]));
for (let i = -warm; i < R; i++) { const k = (i + warm) % cs.length; for (const c of [...cs.slice(k), ...cs.slice(0, k)]) {
  const t0 = performance.now(); let t3; const c0 = process.cpuUsage(); await c.read(() => { t3 ??= performance.now(); }); const cu = process.cpuUsage(c0); const t4 = performance.now();
  if (i >= 0) S.get(c.name).push([t1 - t0, ts - t0, t3 - t2, t3 - t0, (cu.user + cu.system) / 1000]);
} }
const med = (v) => { v = v.toSorted((a, b) => a - b); return v[v.length >> 1]; };
console.log('name'.padEnd(26), 'tofetch  sent  tofirst  first  cpu');
for (const n of [OURS, OLD, OPEN_RESPONSES]) console.log(n.padEnd(26), [0, 1, 2, 3, 4].map((i) => med(S.get(n).map((x) => x[i])).toFixed(3).padStart(7)).join(' '));
const r = (a, b, j = 3) => med(S.get(a).map((x, i) => x[j] / S.get(b)[i][j])).toFixed(3);
console.log('new/OR', r(OURS, OPEN_RESPONSES), 'old/OR', r(OLD, OPEN_RESPONSES), 'new/old', r(OURS, OLD), 'cpu new/old', r(OURS, OLD, 4));
server.kill(); process.exit(0);
