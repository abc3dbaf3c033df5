import { tmpdir } from 'node:os';
import { SettingsError } from 'responses-loop-example-shared/settings-error.js';
import { AgentError } from './core/agent-error.js';
import { type HostedEnvironment, startHosted } from './hosted.js';
import { errorAnswer, HttpError } from './http/errors.js';
import type { Handler } from './http/handler.js';
import { type LambdaResult, type LambdaStreams, requestOf, resultOf, streamTo } from './http/lambda-events.js';
import { loggable } from './persistence/loggable.js';
import { persisterOf } from './persistence/persister-of.js';

export interface LambdaEnvironment extends HostedEnvironment {
  /** `postgres://…`; without it, sessions are lost with the instance of the function. */
  readonly AGENT_DATABASE?: string | undefined;
}

export interface LambdaHandlers {
  /** Streams its answer, if the runtime can. */
  readonly handler: (event: unknown, stream: never) => Promise<LambdaResult | void>;
  /** Gives its answer whole: an HTTP API reads no stream. */
  readonly buffered: (event: unknown) => Promise<LambdaResult>;
}

/** Both entries of one function, which starts with its first event. */
export function lambdaHandlers(
  environment: LambdaEnvironment,
  streams: LambdaStreams | undefined = (globalThis as { awslambda?: LambdaStreams }).awslambda,
): LambdaHandlers {
  let started: Promise<Handler> | undefined;

  const answer = async <Result>(event: unknown, give: (response: Response) => Promise<Result>): Promise<Result> => {
    const request = requestOf(event);
    const pending: Promise<unknown>[] = [];
    try {
      started ??= startLambda(environment);
      const handle = await started.catch((error: unknown) => {
        started = undefined;
        return refusalOf(error);
      });
      return await give(await handle(request, { waitUntil: (work) => void pending.push(work) }));
    } finally {
      // AWS freezes the process once this function is done: until then the turn has to be over, and its rows written.
      for (const ended of await Promise.allSettled(pending)) {
        if (ended.status === 'rejected') console.error(loggable(ended.reason));
      }
    }
  };

  const buffered = async (event: unknown): Promise<LambdaResult> => answer(event, resultOf);
  if (streams?.streamifyResponse === undefined) return { handler: buffered, buffered };
  const handler = streams.streamifyResponse((event, stream) =>
    answer(event, async (response) => streamTo(stream, response, streams)),
  );
  return { handler, buffered };
}

function refusalOf(error: unknown): Handler {
  const isOfSettings = error instanceof SettingsError || (error instanceof AgentError && error.code === 'bad_settings');
  if (!isOfSettings) throw error;
  return async () => errorAnswer(new HttpError(500, 'bad_settings', error.message));
}

async function startLambda(environment: LambdaEnvironment): Promise<Handler> {
  const database = environment.AGENT_DATABASE || undefined;
  if (database === undefined) {
    console.warn(
      `AGENT_DATABASE is not set: sessions are kept in ${tmpdir()} and are lost with this instance. Other instances do not see them. Set it to postgres://….`,
    );
  }
  const persister = persisterOf({ workspace: tmpdir(), database });
  return startHosted(environment, { name: 'Lambda function', agentId: 'lambda', persister });
}

export const { handler, buffered } = lambdaHandlers(process.env);
