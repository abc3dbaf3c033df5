import type { Rig } from '../../acceptance/support/rig.js';
import { type LocalTool, toolOf } from '../../acceptance/support/tools.js';
import { type Loose, showsAll } from './sdk.js';

const FIRST = { at: 'the gate' };
export const FINAL = { at: 'the pond' };

/** A tool with a step before its result, and a model whose streams let it go on once that step was shown. */
export interface Walk {
  readonly walk: LocalTool;
  /** How often the tool has run. */
  readonly runs: () => number;
  readonly watch: (model: Rig['model']) => Rig['model'];
}

/** `shows`: progress is shown in streams, so that the tool waits for it. */
export function walking(shows: boolean): Walk {
  let see = (): void => {};
  const seen = new Promise<void>((resolve) => {
    see = resolve;
  });
  let isStreamed = false;
  let runs = 0;
  const walk = toolOf(async function* walk() {
    runs += 1;
    yield FIRST;
    if (showsAll && isStreamed && shows) await seen;
    yield FINAL;
  });
  const watch = (model: Rig['model']): Rig['model'] =>
    new Proxy(model, {
      get: (target, name, receiver) => {
        if (name !== 'doStream') return Reflect.get(target, name, receiver) as unknown;
        return async (options: Parameters<typeof target.doStream>[0]) => {
          isStreamed = true;
          const { stream, ...rest } = await target.doStream(options);
          const look = new TransformStream<Loose, Loose>({
            transform(part, controller) {
              if (part['preliminary'] === true) see();
              controller.enqueue(part);
            },
          });
          return { ...rest, stream: stream.pipeThrough(look as never) };
        };
      },
    });
  return { walk, runs: () => runs, watch };
}
