import { AgentError } from '../core/agent-error.js';
import type { DriverConfig, DriverFactory } from '../types/driver.js';
import { createEchoDriver } from './echo-driver.js';
import { createMonoDriver } from './mono-driver.js';

export type DriverChoice = 'mono' | 'echo' | 'coder' | 'process' | DriverFactory;

const DRIVERS: Readonly<Record<string, DriverFactory>> = {
  mono: (config: DriverConfig) => createMonoDriver(config),
  echo: (config: DriverConfig) => createEchoDriver(config),
};

export interface Selection {
  /** One that was handed in. */
  readonly injected?: DriverFactory | undefined;
  readonly option?: DriverChoice | undefined;
  /** Further drivers by their names, such as those that start programs: a Worker has none. */
  readonly more?: Readonly<Record<string, DriverFactory>> | undefined;
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
}

export interface SelectedDriver {
  readonly name: string;
  readonly create: DriverFactory;
}

/** Which driver is used: one that was handed in, else what the option says, else `AGENTX_DRIVER`, else `mono`. */
export function selectDriver({
  injected,
  option,
  more = {},
  environment = environmentOf(),
}: Selection): SelectedDriver {
  const factory = injected ?? (typeof option === 'function' ? option : undefined);
  if (factory !== undefined) return { name: 'injected', create: factory };
  const fromEnvironment = environment['AGENTX_DRIVER'] === '' ? undefined : environment['AGENTX_DRIVER'];
  const name = typeof option === 'string' ? option : (fromEnvironment ?? 'mono');
  const known = { ...DRIVERS, ...more };
  const create = Object.hasOwn(known, name) ? known[name] : undefined;
  if (create !== undefined) return { name, create };
  const source = option === undefined ? 'AGENTX_DRIVER' : 'driver';
  throw new AgentError('bad_settings', `${source} is "${name}"; known drivers are ${Object.keys(known).join(', ')}.`);
}

/** A Worker has no `process`. */
function environmentOf(): Readonly<Record<string, string | undefined>> {
  return globalThis.process?.env ?? {};
}
