globalThis.M = []; globalThis.__m = (l) => { M.push(l, performance.now()); };
const { fork } = await import('node:child_process'); const { once } = await import('node:events'); const { fileURLToPath } = await import('node:url');
const { textContenders } = await import('./support/contenders.mjs');
const { FLOOR, OPEN_RESPONSES, OPENAI_SDK, OURS, STOCK } = await import('./support/names.mjs');
const DELTAS = ['The', ' ducks', ' swim', '.'];
const server = fork(fileURLToPath(new URL('./children/server.mjs', import.meta.url)), DELTAS);
const [port] = await once(server, 'message');
const cs = textContenders({ fetch, baseURL: `http://127.0.0.1:${port}/v1`, names: [OURS, FLOOR, OPEN_RESPONSES, STOCK, OPENAI_SDK] });
const warm = Number(process.argv[2] ?? 100), R = 500; const D = new Map();
for (let i = -warm; i < R; i++) { const k = (i + warm) % cs.length; for (const c of [...cs.slice(k), ...cs.slice(0, k)]) {
  M.length = 0; __m('call'); let t; await c.read(() => { if (!t) { t = 1; __m('FIRST'); } });
  if (i >= 0 && c.name === OURS) { let p; const seen = {}; for (let j = 0; j < M.length; j += 2) { seen[M[j]] = (seen[M[j]] ?? 0) + 1; M[j] += seen[M[j]] > 1 ? seen[M[j]] : ''; if (p) { const key = p[0] + ' → ' + M[j]; D.get(key)?.push(M[j + 1] - p[1]) ?? D.set(key, [M[j + 1] - p[1]]); } p = [M[j], M[j + 1]]; } }
} }
for (const [k, v] of D) { if (v.length < R / 2) continue; v.sort((a, b) => a - b); console.log((v[v.length >> 1] * 1000).toFixed(0).padStart(6) + ' µs', k); }
server.kill(); process.exit(0);
