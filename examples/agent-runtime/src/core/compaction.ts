import type { AdapterOptions } from '../types/adapter.js';
import type { DriverStreamEvent } from '../types/events.js';
import type { SessionOptions } from '../types/factory.js';
import type { AdapterMessage, StoredMessage, UserMessage } from '../types/messages.js';
import type { Compaction } from '../types/session.js';
import { AgentError } from './agent-error.js';
import { asRead, heldTurns, isPrompt, isSummary, summarisedTurn, takenBackRow } from './as-read.js';
import type { SessionRecord } from './session-record.js';
import type { TurnRun } from './turn-run.js';

/** Turns that the model goes on reading as they were. */
const KEPT_TURNS = 2;
/** A token has about four characters; of code rather three. */
const CHARS_PER_TOKEN = 3;
/** What an image or a file counts, however long it is written. */
const ATTACHMENT_CHARS = 3_000;

/** The code of a request that was longer than the model can hold. */
const TOO_LONG = 'context_too_long';

/** Why there is no summary if the shortest text of the session is refused. */
const EVEN_SHORT =
  'The server refuses even a short text of it as too long. Use a model with a larger context window, or a shorter system prompt.';

/** For whoever does not know what a summary is for. */
const REQUEST = 'Summarize our conversation so far.';

/** The last turn that a summary would take in; `undefined`, if there is nothing to make shorter. */
export function throughTurn(messages: readonly StoredMessage[], kept = KEPT_TURNS): number | undefined {
  const through = heldTurns(messages).at(-1 - kept);
  return through !== undefined && through > summarisedTurn(messages) ? through : undefined;
}

/** About how many tokens the model reads of them. */
function tokensOf(messages: readonly StoredMessage[]): number {
  const chars = asRead(messages).reduce((sum, row) => sum + charsOf(row), 0);
  return Math.ceil(chars / CHARS_PER_TOKEN);
}

function charsOf({ content, toolInput, metadata }: StoredMessage): number {
  const attachments = (metadata?.blocks ?? []).filter(({ type }) => type !== 'text').length;
  return content.length + (JSON.stringify(toolInput) ?? '').length + attachments * ATTACHMENT_CHARS;
}

/** The programs of drivers keep the talk themselves: nothing here changes what they remember. */
function hasOwnTalk(messages: readonly StoredMessage[]): boolean {
  return messages.some(({ metadata }) => metadata?.kind === 'agent_session');
}

/** @throws AgentError `not_supported`, if what is changed here would not be noticed */
export function checkOwnTalk(id: string, messages: readonly StoredMessage[]): void {
  if (!hasOwnTalk(messages)) return;
  throw new AgentError(
    'not_supported',
    `Session ${id} is stored by the driver's own program, which would not notice the change.`,
  );
}

/** Takes the last turn back: the rows stay, and neither the model nor the session reads them. */
export function takeBack(id: string, { transcript, append }: SessionRecord): readonly StoredMessage[] {
  checkOwnTalk(id, transcript.held);
  const turn = heldTurns(transcript.messages).at(-1);
  if (turn === undefined) throw new AgentError('no_such_turn', `Session ${id} has no turn to undo.`);
  const rows = transcript.held.filter((row) => row.turn === turn);
  append(takenBackRow(turn), turn);
  return rows;
}

/** What a session gives to be made shorter. */
export interface Shortening {
  readonly record: SessionRecord;
  readonly run: TurnRun;
  readonly by: 'user' | 'limit';
  readonly options: Pick<AdapterOptions, 'sessionId' | 'model'>;
  readonly ask: (prompt: UserMessage, options: AdapterOptions) => AsyncGenerator<AdapterMessage>;
  readonly transform: (row: AdapterMessage) => AdapterMessage | undefined;
}

/** Has a summary made, which the model reads in place of all but the last turns. @throws AgentError `summary_failed` */
export async function shorten(shortening: Shortening): Promise<Compaction | null> {
  const { record, run, by, options, transform } = shortening;
  const { messages, held } = record.transcript;
  checkOwnTalk(options.sessionId, held);
  // What a server has refused does not fit with the last turns in it.
  const kept = run.errorCode === TOO_LONG ? 0 : KEPT_TURNS;
  const through = throughTurn(messages, kept);
  if (through === undefined) return null;
  run.tell('compaction_started', { tokens: run.usage?.contextTokens ?? tokensOf(messages), by });
  const content = await summarise(shortening, through);
  const row = transform({ type: 'system', content, metadata: { kind: 'summary', throughTurn: through } });
  if (row === undefined) throw failed('transformMessage() left the summary out.');
  record.append(row, heldTurns(messages).at(-1));
  run.tell('compaction_complete', { throughTurn: through, keptTurns: kept });
  return { throughTurn: through, summary: row.content };
}

/** Does so behind an answer, if it is time. The answer stands, also if there is no summary. */
export async function shortenIfLong(shortening: Shortening, isLong: SessionOptions['isLong']): Promise<void> {
  const { record, run, options } = shortening;
  const { messages } = record.transcript;
  const isRefused = run.errorCode === TOO_LONG;
  if (run.signal.aborted || hasOwnTalk(messages)) return;
  if (!isRefused && throughTurn(messages) === undefined) return;
  const tokens = run.usage?.contextTokens ?? tokensOf(messages);
  try {
    if (isRefused || (await isLong?.(tokens, options.model)) === true) await shorten(shortening);
  } catch (error) {
    if (!run.signal.aborted) run.tell('warning', { message: error instanceof Error ? error.message : String(error) });
  }
}

async function summarise({ record, run, ask, options }: Shortening, through: number): Promise<string> {
  const history = asRead(record.transcript.messages).filter(
    (row) => isPrompt(row) || isSummary(row) || row.turn <= through,
  );
  let problem: string | undefined;
  const onEvent = ({ type, data }: DriverStreamEvent): void => {
    if (type === 'message_delta') record.facts.count(data.usage);
    else if (type === 'error') problem = data.errorCode === TOO_LONG ? EVEN_SHORT : data.message;
  };
  const asked = { ...options, history, signal: run.signal, purpose: 'summary', onEvent } as const;
  const texts: string[] = [];
  await run.drain(ask({ content: REQUEST }, asked), (row) => {
    if (row.type === 'agent' && row.metadata?.kind !== 'thinking') texts.push(row.content);
  });
  if (run.signal.aborted) throw failed('It was interrupted.');
  if (problem !== undefined) throw failed(problem);
  const text = texts.join('').trim();
  if (text === '') throw failed('The model gave no summary.');
  return text;
}

function failed(reason: string): AgentError {
  return new AgentError('summary_failed', `The session could not be made shorter: ${reason}`);
}
