import { type MonoDriverOptions, openModels } from '../driver/models.js';
import { type DriverChoice, type Selection, selectDriver } from '../driver/select.js';
import type { AgentAdapter } from '../types/adapter.js';
import type { DriverConfig, DriverFactory } from '../types/driver.js';
import { ResponsesAdapter } from './responses.js';

export interface AdapterSettings {
  readonly driver?: DriverChoice | undefined;
  readonly moreDrivers?: Selection['more'];
  readonly config: DriverConfig<MonoDriverOptions>;
}

/** The adapter over the driver that is chosen. Mono drivers share one provider, and so its MCP servers. */
export function createAdapter({ driver, moreDrivers, config }: AdapterSettings): AgentAdapter {
  const selected = selectDriver({ option: driver, more: moreDrivers });
  if (selected.name !== 'mono') {
    return new ResponsesAdapter({ name: selected.name, createDriver: selected.create, config: asPlain(config) });
  }
  const models = openModels(config);
  const { mcpServers: _mcpServers, ...rest } = config;
  const createDriver: DriverFactory = (own) =>
    selected.create({ ...own, options: { ...ofTurns(config.options), provider: models } });
  return new ResponsesAdapter({ name: 'mono', createDriver, config: asPlain(rest), close: () => models.close() });
}

/** What a driver needs beside the models, which have all else. */
function ofTurns({ maxSteps, telemetry, model }: MonoDriverOptions = {}): MonoDriverOptions {
  return { maxSteps, telemetry, model };
}

function asPlain(config: DriverConfig<MonoDriverOptions>): DriverConfig {
  return { ...config, options: { ...config.options } };
}
