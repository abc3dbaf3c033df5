import { createUIMessageStream, stepCountIs, ToolLoopAgent, type ToolSet } from 'ai';
import { getChatModel, getUiWriter } from '../context/request-context.js';
import { QUIET } from '../chat/quiet.js';
import { createToolRepair, type SchemaOf } from '../tools/tool-repair.js';
import type { ChatChunk, ChatMessage, ChatPart, ChatWriter, SubAgentState } from '../types.js';
import type { AgentJournal } from './agent-journal.js';

export interface AgentOutcome {
  readonly state: SubAgentState;
  /** What the other agent and the person read. */
  readonly summary: string;
}

export interface AgentRun {
  readonly agentId: string;
  readonly prompt: string;
  readonly task: string;
  readonly tools: ToolSet;
  readonly schemaOf: SchemaOf;
  readonly steps: number;
  readonly signal: AbortSignal;
  readonly isOutOfTime: () => boolean;
  readonly journal: AgentJournal;
  readonly describeError: (error: unknown) => string;
}

const MAX_SUMMARY_CHARS = 8000;

/** The turn of a sub-agent: the same loop as the chat's, its chunks wrapped, its answer stored after every step. */
export async function runAgent(run: AgentRun): Promise<AgentOutcome> {
  const { model, providerOptions } = getChatModel();
  const agent = new ToolLoopAgent({
    model,
    ...(providerOptions && { providerOptions }),
    instructions: run.prompt,
    tools: run.tools,
    stopWhen: stepCountIs(run.steps),
    experimental_repairToolCall: createToolRepair(run.schemaOf),
    ...QUIET,
  });
  const result = await agent.stream({ messages: [{ role: 'user', content: run.task }], abortSignal: run.signal });
  const writer = getUiWriter();
  let errorText: string | undefined;
  let parts: readonly ChatPart[] = [];
  let isAborted = false;
  const stream = createUIMessageStream<ChatMessage>({
    execute: ({ writer: own }) => own.merge(result.toUIMessageStream<ChatMessage>({ onError: run.describeError })),
    onError: run.describeError,
    generateId: () => run.journal.answerId,
    onStepFinish: ({ responseMessage }) => run.journal.saveAnswer(responseMessage.parts),
    onFinish: (finished) => {
      parts = finished.responseMessage.parts;
      isAborted = finished.isAborted;
    },
  });
  for await (const chunk of stream) {
    if (chunk.type === 'error') errorText = chunk.errorText;
    forward(chunk, run.agentId, writer);
  }
  await run.journal.saveAnswer(parts, errorText === undefined ? 'normal' : 'error');
  if (run.isOutOfTime()) return { state: 'failed', summary: 'It took too long and was stopped.' };
  if (isAborted || run.signal.aborted) return { state: 'aborted', summary: 'It was stopped.' };
  if (errorText !== undefined) return { state: 'failed', summary: errorText };
  return reportOf(parts, run.steps);
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
  if (text === '') return { state: 'failed', summary: `It ended without a report, after at most ${steps} steps.` };
  const summary = text.length > MAX_SUMMARY_CHARS ? `${text.slice(0, MAX_SUMMARY_CHARS)} [… report cut]` : text;
  return { state: 'done', summary };
}
