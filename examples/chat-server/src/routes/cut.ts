import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';

/** Breaks the connection of a client; `undefined`, if the application is asked without one. */
export function cutOf({ env }: Context): (() => void) | undefined {
  const { outgoing } = (env ?? {}) as Partial<HttpBindings>;
  return outgoing && (() => void outgoing.destroy());
}
