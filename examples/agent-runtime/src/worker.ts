import { type HostedEnvironment, startHosted, startOnce } from './hosted.js';
import type { Handler, RequestScope } from './http/handler.js';
import { createMemoryPersister } from './persistence/memory-persister.js';

const started = startOnce(startWorker);

/** Sessions over HTTP in a Worker, kept in the memory of its isolate. */
export default {
  async fetch(request: Request, environment: HostedEnvironment, scope: RequestScope): Promise<Response> {
    const handle = await started(environment);
    return handle(request, scope);
  },
};

/** @throws SettingsError with a sentence for the person who deploys it. */
export async function startWorker(environment: HostedEnvironment): Promise<Handler> {
  return startHosted(environment, { name: 'Worker', agentId: 'worker', persister: createMemoryPersister() });
}
