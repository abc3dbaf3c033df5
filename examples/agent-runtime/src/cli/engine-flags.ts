import type { EngineChoice } from '../engine/open-turn-engine.js';
import { CommandError, EXIT } from './exit-codes.js';
import type { OpenOptions } from './open-agent.js';

/** The port that Restate's own programs listen on. */
const PORT = 9080;

/** `undefined`: turns end with their instance. */
export function engineOf(options: OpenOptions): EngineChoice | undefined {
  const { engine, restate, restatePort, restateKey, host = '127.0.0.1' } = options;
  if (engine !== 'restate') {
    const [unused] = Object.entries({ restate, 'restate-port': restatePort, 'restate-key': restateKey }).filter(
      ([, value]) => value !== undefined,
    );
    if (unused !== undefined) throw new CommandError(EXIT.usage, `--${unused[0]} needs --engine restate.`);
    return engine && { name: engine };
  }
  if (restate === undefined) {
    throw new CommandError(
      EXIT.usage,
      '--engine restate needs --restate http://…, the ingress of the Restate server that all instances share.',
    );
  }
  return { name: engine, settings: { ingress: restate, host, port: restatePort ?? PORT, identityKey: restateKey } };
}
