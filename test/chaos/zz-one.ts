import { generateScenario } from './generate.js';
import { play } from './play.js';
const seed = Number(process.argv[2]);
const s = generateScenario(seed);
console.log(JSON.stringify(s.sockets), JSON.stringify(s.settings));
for (const l of s.lanes) for (const e of l.exchanges) console.log(JSON.stringify(e).slice(0, 200), '...', JSON.stringify(e).slice(-330));
const o = await play(s);
for (const e of o.events) if (['request','response','request-error','socket','transport-fallback','retry','call-end','tool-start','tool-end'].includes(e.type)) console.log(e.type, (e as any).what ?? '', (e as any).transport ?? '', (e as any).newItems ?? '', (e as any).round ?? '', (e as any).reason ?? (e as any).message ?? (e as any).status ?? '');
console.log(o.lanes.map(l => l.ended), o.problems, o.socketsLeft);
