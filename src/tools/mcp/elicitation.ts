import type { JsonObject } from '../../core/json.js';
import type { Observer } from '../../observe/event.js';
import { notify } from '../../observe/notify.js';
import { raceAbort } from '../../util/abort.js';
import { errorText } from '../../util/error-text.js';
import { asRecord, asString, isRecord } from '../../util/guards.js';
import type { ActiveCalls, Question } from './active-calls.js';

/** A question of an MCP server to the user of the app. */
export interface McpElicitationRequest {
  /** The server's key in the settings. */
  readonly server: string;
  /** The text of the question. */
  readonly message: string;
  /** `form`: the user fills in fields; `url`: the user opens a page, and its contents never pass through the app. */
  readonly mode: 'form' | 'url';
  /** The fields, as a flat JSON schema; an empty object schema in `url` mode. */
  readonly requestedSchema: JsonObject;
  /** The page to open, in `url` mode. */
  readonly url?: string;
  /**
   * The ids of the tool calls that may have asked: those that run on this server. With a single one, this function runs
   * in its asynchronous context (`AsyncLocalStorage`). With several, the protocol does not name the call, and there is
   * no such context: use these ids.
   */
  readonly callIds: readonly string[];
  /** Fires when no call waits for the answer: close the dialog. */
  readonly signal: AbortSignal;
}

/** `accept` sends the answer (missing fields get the schema's defaults), `decline` refuses, `cancel` postpones. */
export type McpElicitationAnswer =
  | { readonly action: 'accept'; readonly content?: Readonly<Record<string, McpElicitationValue>> }
  | { readonly action: 'decline' }
  | { readonly action: 'cancel' };

type McpElicitationValue = string | number | boolean | readonly string[];

/**
 * Answers questions of MCP servers. The idle limit of tool calls pauses while it is pending; their total limit does
 * not. An error that it throws cancels the question.
 *
 * @example async ({ message, requestedSchema }) => ({ action: 'accept', content: await ask(message, requestedSchema) })
 */
export type OnElicitation = (
  request: McpElicitationRequest,
) => McpElicitationAnswer | PromiseLike<McpElicitationAnswer>;

/** Declares the capability only if the app can ask, because some servers then offer more tools. */
export function elicitationCapabilities(onElicitation: OnElicitation | undefined): object {
  return onElicitation === undefined ? {} : { elicitation: { form: { applyDefaults: true }, url: {} } };
}

interface ElicitationDesk {
  readonly server: string;
  readonly onElicitation: OnElicitation;
  readonly activeCalls: ActiveCalls;
  readonly observer: Observer | undefined;
}

/** Answers a question from a client of ours. The SDK checks question and answer. Never rejects. */
export async function askPerson(
  desk: ElicitationDesk,
  params: unknown,
  signal: AbortSignal,
): Promise<McpElicitationAnswer> {
  const { activeCalls, onElicitation } = desk;
  return activeCalls.ask(signal, async (question) => {
    try {
      const request = readRequest(desk.server, asRecord(params) ?? {}, question);
      const ask = async (): Promise<unknown> => onElicitation(request);
      return readAnswer(await raceAbort(ask(), question.signal));
    } catch (error) {
      if (!question.signal.aborted) complain(desk, errorText(error));
      return { action: 'cancel' };
    }
  });
}

function readRequest(server: string, params: Record<string, unknown>, question: Question): McpElicitationRequest {
  const url = params['mode'] === 'url' ? asString(params['url']) : undefined;
  return {
    server,
    message: asString(params['message']) ?? '',
    mode: url === undefined ? 'form' : 'url',
    // It was parsed from JSON.
    requestedSchema: (asRecord(params['requestedSchema']) ?? { type: 'object', properties: {} }) as JsonObject,
    ...(url === undefined ? {} : { url }),
    ...question,
  };
}

/** Returns a copy, because the SDK writes the defaults into it. */
function readAnswer(answer: unknown): McpElicitationAnswer {
  const { action, content } = asRecord(answer) ?? {};
  if (action === 'decline' || action === 'cancel') return { action };
  if (action !== 'accept') throw new Error('the answer has no `action` of "accept", "decline" or "cancel"');
  if (content !== undefined && !isRecord(content)) throw new Error('the `content` of the answer is not an object');
  // The SDK checks the values against the protocol.
  return { action, content: { ...(content as Record<string, McpElicitationValue> | undefined) } };
}

function complain({ server, observer }: ElicitationDesk, reason: string): void {
  const message = `MCP server "${server}" asked a question, and \`onElicitation\` failed (${reason}); it was cancelled.`;
  notify(observer, () => ({ type: 'mcp-error', server, message }));
}
