import { providerClosed } from '../errors/provider-closed.js';
import type { ToolRegistryOptions } from '../tools/create-tool-registry.js';
import type { ToolRegistry } from '../tools/loop-tool.js';
import { raceAbort } from '../util/abort.js';
import { onDemand } from './on-demand.js';
import { type KnownRegistry, NO_TOOLS } from './toolset.js';

const NO_SECRETS: readonly string[] = [];

type CreateRegistry = (options: ToolRegistryOptions) => ToolRegistry;

/** The tools of a provider, whose code is loaded when it is first needed. Settings are checked before. */
export function lazyRegistry(options: ToolRegistryOptions): KnownRegistry {
  const isEmpty = Object.keys({ ...options.mcpServers, ...options.tools }).length === 0;
  let isClosed = false;
  let loading: Promise<ToolRegistry> | undefined;
  let loaded: ToolRegistry | undefined;

  /**
   * Connections are shared, so they are made in the asynchronous context that the provider was created in, not in that of the
   * first call: a continuation keeps the context it was attached in.
   */
  let arrive: (create: CreateRegistry) => void = () => {};
  const created = new Promise<CreateRegistry>((resolve) => {
    arrive = resolve;
  }).then((create) => (loaded = create(options)));

  const load = (): Promise<ToolRegistry> => {
    if (isClosed) throw providerClosed();
    loading ??= onDemand.tools().then(({ createToolRegistry }) => {
      arrive(createToolRegistry);
      return created;
    });
    // A chunk that could not be fetched may be there the next time.
    loading.catch(() => {
      loading = undefined;
    });
    return loading;
  };

  return {
    isEmpty,
    async toolset(wanted) {
      if (isClosed) throw providerClosed();
      if (isEmpty) return NO_TOOLS;
      const registry = loaded ?? (await raceAbort(load(), wanted.signal));
      return registry.toolset(wanted);
    },
    async client(key) {
      return (await load()).client(key);
    },
    async finishSignIn(key, callbackUrl) {
      await (await load()).finishSignIn(key, callbackUrl);
    },
    secrets: () => loaded?.secrets() ?? NO_SECRETS,
    async close() {
      isClosed = true;
      const registry = await loading?.catch(() => undefined);
      await registry?.close();
    },
  };
}
