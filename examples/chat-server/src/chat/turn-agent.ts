import { stepCountIs, ToolLoopAgent, type UIMessageStreamOptions } from 'ai';
import type { LoopSettings } from 'responses-loop/v3';
import type { TurnSteering } from '../queue/turn-steering.js';
import type { ChatAgentParts } from '../tools/runtime.js';
import type { ChatChunk, ChatMessage } from '../types.js';
import { toModelMessages } from './message-chain.js';
import type { TurnPlan } from './orchestrator.js';
import { QUIET } from './quiet.js';
import { type Attempt, MAX_RETRIES, watchRetries } from './watch-retries.js';

const MAX_STEPS = 40;

export interface TurnAgent {
  readonly parts: ChatAgentParts;
  readonly plan: TurnPlan;
  /** For a provider of ours, in this turn. */
  readonly settings: LoopSettings;
  readonly steering: TurnSteering;
  readonly onAttempt: (attempt: Attempt | undefined) => void;
  readonly signal: AbortSignal;
  readonly ui: Pick<UIMessageStreamOptions<ChatMessage>, 'onError' | 'messageMetadata'>;
}

/** Asks the model, and has the AI SDK run tools, until it answers without them. */
export async function openAgentStream(turn: TurnAgent): Promise<ReadableStream<ChatChunk>> {
  const { parts, plan, settings, steering, onAttempt, signal, ui } = turn;
  const { chatModel, path, resumed } = plan;
  const { instructions, tools, repair, approvalSecret, skillText } = parts;
  const model = watchRetries(chatModel.forTurn({ ...settings, ...steering.settings }), onAttempt);
  const agent = new ToolLoopAgent({
    model: steering.wrap(model),
    prepareStep: async ({ messages }) => ({ messages: await steering.before(messages) }),
    maxRetries: MAX_RETRIES,
    instructions,
    tools,
    ...(chatModel.providerOptions && { providerOptions: chatModel.providerOptions }),
    stopWhen: stepCountIs(MAX_STEPS),
    experimental_repairToolCall: repair,
    ...QUIET,
    experimental_toolApprovalSecret: approvalSecret,
  });
  const messages = await toModelMessages(path, { tools, resumedId: resumed?.id, skillText });
  const result = await agent.stream({ messages, abortSignal: signal });
  return result.toUIMessageStream<ChatMessage>({ sendStart: false, sendSources: true, ...ui });
}
