// A worker for Restate: `node restate.mjs`, then register its URL at the server.
// The SDK wants `Promise.withResolvers`, which Node 20 does not have.
import '../shared/engine/with-resolvers.mjs';
import * as restate from '@restatedev/restate-sdk';
import { runLoop, unkept } from './agent.mjs';
import { PartHub } from './parts.mjs';

const hub = new PartHub();

const agent = restate.workflow({
  name: 'agent',
  handlers: {
    run: async (ctx) => {
      const feed = hub.begin(ctx.key);
      // One for each attempt: its calls are counted.
      const inTurn = oneAtATime();
      const journal = { step: ({ key }, run) => inTurn(() => ctx.run(key, () => unkept(run))) };
      const signal = ctx.request().attemptCompletedSignal;
      try {
        const answer = await runLoop({ loop: ctx.key, journal, signal, onPart: feed.part });
        feed.end();
        return answer;
      } catch (error) {
        // What the journal has kept would come again in every attempt. A cancellation is terminal already.
        if (error?.code === undefined || error instanceof restate.TerminalError || signal.aborted) throw error;
        throw new restate.TerminalError(error.message);
      }
    },
  },
  options: {
    retryPolicy: { initialInterval: 100, maxInterval: 1000, exponentiationFactor: 2 },
    inactivityTimeout: 5_000,
    abortTimeout: 5_000,
  },
});

/** The SDK lets one promise of a context be awaited at a time; what an `approve` awaits has to come this way too. */
function oneAtATime() {
  let last = Promise.resolve();
  return (begin) => {
    const next = last.then(begin);
    last = next.then(
      () => {},
      () => {},
    );
    return next;
  };
}

await hub.serve(Number(process.env.PARTS_PORT));
await restate.serve({ services: [agent], port: Number(process.env.PORT) });
