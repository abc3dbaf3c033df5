import { createUIMessageStream, stepCountIs, ToolLoopAgent, type ToolSet } from 'ai';
import { requestsIn } from '../approval/agent-questions.js';
import { answersIn } from '../chat/answer-approvals.js';
import { toModelMessages } from '../chat/message-chain.js';
import { QUIET } from '../chat/quiet.js';
import { isSavePoint, SavePoints } from '../chat/save-points.js';
import { TurnEvents } from '../chat/turn-events.js';
import { MAX_RETRIES, watchRetries } from '../chat/watch-retries.js';
import { getChatModel, getUiWriter, type MessageInWork } from '../context/request-context.js';
import { warnOfEvents } from '../models/warn-of-events.js';
import { createToolRepair, type SchemaOf } from '../tools/tool-repair.js';
import type { ChatChunk, ChatMessage, ChatPart, ChatWriter, StoredMessage } from '../types.js';
import type { AgentEvent } from './agent-state.js';
import type { AgentJournal } from './agent-journal.js';

/** How a sub-agent's turn ended. */
export interface AgentOutcome {
  readonly event: Exclude<AgentEvent, 'goesOn' | 'asks'>;
  /** What the other agent and the person read. */
  readonly summary: string;
}

export interface AgentRun {
  readonly journal: AgentJournal;
  readonly message: MessageInWork;
  readonly prompt: string;
  readonly tools: ToolSet;
  readonly schemaOf: SchemaOf;
  /** Binds what was approved to this sub-agent. */
  readonly approvalSecret: string;
  readonly describeQuestion: (chunk: ChatChunk) => ChatChunk;
  /** In all its stretches. */
  readonly maxSteps: number;
  readonly signal: AbortSignal;
  readonly describeError: (error: unknown) => string;
  readonly onWarning: (message: string) => void;
}

const MAX_SUMMARY_CHARS = 8000;

/**
 * A stretch of a sub-agent: the same loop as the chat's, from what is stored to its end or to a question. Its chunks are
 * wrapped, its answer is stored as the chat's is. Rejects when the signal fires.
 */
export async function runStretch(run: AgentRun): Promise<AgentOutcome | 'asks'> {
  const { journal, signal } = run;
  const writer = getUiWriter();
  const show = (chunk: ChatChunk): void => forward(chunk, journal.agentId, writer);
  const chunks = await startModel(run, show);
  let errorText: string | undefined;
  let steps = journal.file.steps ?? 0;
  const savePoints = new SavePoints(true);
  const stream = createUIMessageStream<ChatMessage>({
    originalMessages: journal.path.map(toUi),
    generateId: () => journal.answerId,
    execute: async ({ writer: own }) => {
      own.write({ type: 'start', messageId: journal.answerId });
      for await (const chunk of chunks) {
        if (chunk.type === 'start-step') steps += 1;
        for (const piece of savePoints.behind(run.describeQuestion(chunk))) own.write(piece);
      }
    },
    onError: run.describeError,
    onStepFinish: ({ responseMessage }) => journal.saveAnswer(responseMessage.parts),
    onFinish: ({ responseMessage }) =>
      journal.saveAnswer(responseMessage.parts, errorText === undefined ? 'normal' : 'error'),
  });
  for await (const chunk of stream) {
    if (chunk.type === 'error') errorText = chunk.errorText;
    if (!isSavePoint(chunk) && chunk.type !== 'tool-approval-request') show(chunk);
  }
  signal.throwIfAborted();
  await journal.become('goesOn', { steps });
  if (errorText !== undefined) return { event: 'failed', summary: errorText };
  return requestsIn(journal.parts).length > 0 ? 'asks' : reportOf(journal.parts, steps);
}

async function startModel(run: AgentRun, show: (chunk: ChatChunk) => void): Promise<AsyncIterable<ChatChunk>> {
  const { journal, message, tools } = run;
  const { forTurn, providerOptions } = getChatModel();
  const events = new TurnEvents(show);
  const agent = new ToolLoopAgent({
    model: watchRetries(forTurn(events.settings(warnOfEvents(run.onWarning))), (attempt) => events.attempt(attempt)),
    maxRetries: MAX_RETRIES,
    ...(providerOptions && { providerOptions }),
    instructions: run.prompt,
    tools,
    stopWhen: stepCountIs(Math.max(1, run.maxSteps - (journal.file.steps ?? 0))),
    experimental_repairToolCall: createToolRepair(run.schemaOf),
    ...QUIET,
    experimental_toolApprovalSecret: run.approvalSecret,
  });
  for (const [toolCallId, answer] of answersIn(journal.parts)) message.approvals.set(toolCallId, answer);
  const { answerId: resumedId } = journal;
  const messages = await toModelMessages(await journal.forModel(), { tools, resumedId, skillText: () => '' });
  const result = await agent.stream({ messages, abortSignal: run.signal });
  return result.toUIMessageStream<ChatMessage>({ sendStart: false, onError: run.describeError });
}

function toUi({ id, role, parts, metadata }: StoredMessage): ChatMessage {
  return { id, role: role === 'user' ? 'user' : 'assistant', parts: [...parts], metadata };
}

function forward(chunk: ChatChunk, agentId: string, writer: ChatWriter): void {
  if (chunk.type === 'text-delta') {
    writer.write({ type: 'data-sub-agent-delta', data: { agentId, text: chunk.delta }, transient: true });
  } else {
    writer.write({ type: 'data-sub-agent-chunk', data: { agentId, chunk }, transient: true });
  }
}

/** What it said last, after its last tool. */
function reportOf(parts: readonly ChatPart[], steps: number): AgentOutcome {
  const lastTool = parts.findLastIndex(({ type }) => type === 'dynamic-tool' || type.startsWith('tool-'));
  const text = parts
    .slice(lastTool + 1)
    .flatMap((part) => (part.type === 'text' ? [part.text] : []))
    .join('\n')
    .trim();
  if (text === '') return { event: 'failed', summary: `It ended without a report, after ${steps} steps.` };
  const summary = text.length > MAX_SUMMARY_CHARS ? `${text.slice(0, MAX_SUMMARY_CHARS)} [… report cut]` : text;
  return { event: 'done', summary };
}
