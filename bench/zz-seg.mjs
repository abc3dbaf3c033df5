import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { textContenders } from './support/contenders.mjs';
import { FLOOR, OPEN_RESPONSES, OPENAI_SDK, OURS, STOCK } from './support/names.mjs';
const DELTAS = ['The', ' ducks', ' swim', '.'];
const server = fork((await import('node:url')).fileURLToPath(new URL('./children/server.mjs', import.meta.url)), DELTAS);
const [port] = await once(server, 'message');
let t1, t2;
const f = async (...a) => { t1 = performance.now(); const r = await fetch(...a); t2 = performance.now(); return r; };
const names = (process.argv[2] ?? '').length ? process.argv[2].split(',') : [OURS, FLOOR, OPEN_RESPONSES, STOCK, OPENAI_SDK];
const cs = textContenders({ fetch: f, baseURL: `http://127.0.0.1:${port}/v1`, names });
const warm = Number(process.argv[3] ?? 100), R = Number(process.argv[4] ?? 500);
const S = new Map(cs.map((c) => [c.name, []]));
for (let i = -warm; i < R; i++) { const k = (i + warm) % cs.length; for (const c of [...cs.slice(k), ...cs.slice(0, k)]) {
  const t0 = performance.now(); let t3; await c.read(() => { t3 ??= performance.now(); }); const t4 = performance.now();
  if (i >= 0) S.get(c.name).push([t1 - t0, t2 - t1, t3 - t2, t4 - t3, t3 - t0]);
} }
const med = (v) => { v = v.toSorted((a, b) => a - b); return v[v.length >> 1]; };
console.log('name'.padEnd(26), 'tofetch  fetch  tofirst  rest   first');
for (const [n, v] of S) console.log(n.padEnd(26), [0, 1, 2, 3, 4].map((i) => med(v.map((x) => x[i])).toFixed(3).padStart(7)).join(' '));
if (names.length > 2) console.log("ratio", med(S.get(OURS).map((x, i) => x[4] / (S.get(OPEN_RESPONSES)?.[i][4] ?? 1))).toFixed(3));
server.kill(); process.exit(0);
