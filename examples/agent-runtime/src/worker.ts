import { SettingsError } from 'responses-loop-example-shared/settings-error.js';
import { type HostedEnvironment, startHosted } from './hosted.js';
import { errorAnswer, HttpError } from './http/errors.js';
import type { Handler, RequestScope } from './http/handler.js';
import { createMemoryPersister } from './persistence/memory-persister.js';

let handler: Promise<Handler> | undefined;

/** Sessions over HTTP in a Worker, kept in the memory of its isolate. */
export default {
  async fetch(request: Request, environment: HostedEnvironment, scope: RequestScope): Promise<Response> {
    try {
      handler ??= startWorker(environment);
      return await (
        await handler
      )(request, scope);
    } catch (error) {
      handler = undefined;
      if (!(error instanceof SettingsError)) throw error;
      return errorAnswer(new HttpError(500, 'bad_settings', error.message));
    }
  },
};

/** @throws SettingsError with a sentence for the person who deploys it. */
export async function startWorker(environment: HostedEnvironment): Promise<Handler> {
  return startHosted(environment, { name: 'Worker', agentId: 'worker', persister: createMemoryPersister() });
}
