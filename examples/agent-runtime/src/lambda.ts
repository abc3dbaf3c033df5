import { tmpdir } from 'node:os';
import { type HostedEnvironment, startHosted, startOnce } from './hosted.js';
import type { Handler } from './http/handler.js';
import {
  type LambdaContext,
  type LambdaResult,
  type LambdaStreams,
  requestOf,
  resultOf,
  streamTo,
} from './http/lambda-events.js';
import { loggable } from './persistence/loggable.js';
import { persisterOf } from './persistence/persister-of.js';

export interface LambdaEnvironment extends HostedEnvironment {
  /** `postgres://…`; without it, sessions are lost with the instance of the function. */
  readonly AGENT_DATABASE?: string | undefined;
}

export interface LambdaHandlers {
  /** Streams its answer, if the runtime can. */
  readonly handler: (event: unknown, stream: never, context?: LambdaContext) => Promise<LambdaResult | void>;
  /** Gives its answer whole: an HTTP API reads no stream. */
  readonly buffered: (event: unknown, context?: LambdaContext) => Promise<LambdaResult>;
}

/** What a turn that is stopped needs to hand over what it has, to store it and to send its end. */
const LAST_MS = 5_000;

/** Both entries of one function, which starts with its first event. */
export function lambdaHandlers(
  environment: LambdaEnvironment,
  streams: LambdaStreams | undefined = (globalThis as { awslambda?: LambdaStreams }).awslambda,
): LambdaHandlers {
  const started = startOnce(startLambda);

  const answer = async <Result>(
    event: unknown,
    context: LambdaContext | undefined,
    give: (response: Response) => Promise<Result>,
  ): Promise<Result> => {
    const signal = deadlineOf(context);
    const request = requestOf(event);
    const pending: Promise<unknown>[] = [];
    try {
      const handle = await started(environment);
      return await give(await handle(request, { signal, waitUntil: (work) => void pending.push(work) }));
    } finally {
      // AWS freezes the process once this function is done: until then the turn has to be over, and its rows written.
      for (const ended of await Promise.allSettled(pending)) {
        if (ended.status === 'rejected') console.error(loggable(ended.reason));
      }
    }
  };

  const buffered = async (event: unknown, context?: LambdaContext): Promise<LambdaResult> =>
    answer(event, context, resultOf);
  if (streams?.streamifyResponse === undefined) return { handler: buffered, buffered };
  const handler = streams.streamifyResponse((event, stream, context) =>
    answer(event, context, async (response) => streamTo(stream, response, streams)),
  );
  return { handler, buffered };
}

/** Aborted while there is time to end a turn. A function that has little time in all gives half of it to the turn. */
function deadlineOf(context: LambdaContext | undefined): AbortSignal | undefined {
  if (context === undefined) return undefined;
  const left = Math.max(0, context.getRemainingTimeInMillis());
  return AbortSignal.timeout(Math.floor(left - Math.min(LAST_MS, left / 2)));
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
