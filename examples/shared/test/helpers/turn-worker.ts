// An instance for tests: turns of steps that take a while and leave a line in a ledger. It is told what to do by messages.
import { appendFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDbosEngine } from '../../engine/dbos-engine.js';
import type { Comparable, KeptTurn, TurnAttempt, TurnEngine } from '../../engine/types.js';

interface Plan {
  readonly steps: number;
  readonly stepMs: number;
}

type SaidEvent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'done'; readonly step: number }
  | { readonly type: 'end'; readonly how: string }
  | { readonly type: 'rewound'; readonly after: number };

const [database = '', ledger = ''] = process.argv.slice(2);
const note = (entry: object): void => appendFileSync(ledger, `${JSON.stringify({ ...entry, pid: process.pid })}\n`);

async function run(turn: TurnAttempt): Promise<void> {
  const { steps, stepMs } = turn.input as Plan;
  note({ attempt: turn.id });
  let stopped = false;
  for (let step = 0; step < steps && !stopped; step += 1) {
    try {
      let isLive = false;
      // Words of an attempt's own, such as those of a model that is asked again.
      const said = await turn.step(`say/${step}`, async () => {
        isLive = true;
        const words = `${step}:${Math.random().toString(36).slice(2)} `;
        for (const letter of words) {
          turn.emit({ type: 'text', text: letter });
          await sleep(stepMs / words.length, undefined, { signal: turn.signal });
        }
        note({ act: `${turn.id}/${step}` });
        return words;
      });
      if (!isLive) turn.emit({ type: 'text', text: said });
    } catch (error) {
      if (turn.stopped() === undefined) throw error;
      stopped = true;
    }
    await turn.guarded(async () => note({ write: `${turn.id}/${step}` }));
    turn.emit({ type: 'done', step });
  }
  turn.emit({ type: 'end', how: turn.stopped() ?? 'whole' });
}

function compare(event: unknown): Comparable | undefined {
  const said = event as SaidEvent;
  if (said.type === 'rewound') return undefined;
  if (said.type === 'text') return { key: 'text', delta: { text: said.text, with: (text) => ({ ...said, text }) } };
  return { key: JSON.stringify(said) };
}

const engine: TurnEngine = await openDbosEngine({
  database,
  application: 'test',
  run,
  compare,
  rewound: (after) => ({ type: 'rewound', after }),
  failed: (error) => [{ type: 'end', how: String(error) }],
  beatMs: 300,
  deadAfterMs: 2000,
});

const CALLS: Record<string, (value: never) => Promise<unknown>> = {
  start: (turn: KeptTurn) => engine.start(turn),
  running: (stream: string) => engine.running(stream),
  stop: ([stream, how]: [string, string]) => engine.stop(stream, how),
  follow: async ([turn, after]: [KeptTurn, number]) => {
    const events = [];
    for await (const event of engine.follow(turn, after)) events.push(event);
    return events;
  },
  close: (graceMs: number) => engine.close(graceMs).then(() => process.disconnect()),
};

process.on('message', ({ id, call, value }: { id: number; call: string; value: never }) => {
  const answer = CALLS[call]?.(value) ?? Promise.reject(new Error(`no call ${call}`));
  answer.then(
    (result) => process.connected && process.send?.({ id, result }),
    (error: unknown) => process.connected && process.send?.({ id, error: String(error) }),
  );
});
process.send?.({ id: 0 });
