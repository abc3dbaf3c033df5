import { generateText, type ModelMessage } from 'ai';
import { type RequestContext, runInAgentFrame, runInContext, type MessageInWork } from '../context/request-context.js';
import type { ChatModel } from '../models/resolve-chat-model.js';
import type { UsageData } from '../types.js';
import type { RunningTurn } from './running-turn.js';
import { usageOfStep } from './usage.js';

export interface SideCall {
  readonly turn: RunningTurn;
  readonly workspace: string;
  readonly chatModel: ChatModel;
  readonly instructions: string;
  readonly messages: ModelMessage[];
}

export interface SideAnswer {
  readonly text: string;
  readonly usage: UsageData;
  readonly finishReason: string;
}

/** It has no calls. */
const UNKEPT: MessageInWork = {
  ...{ messageId: '', approvals: new Map(), areReadsKept: false },
  whenKept: () => Promise.resolve(),
};

/** One answer of the model without any tools: a frame that has none hides those of MCP servers too. */
export function askAside(call: SideCall): Promise<SideAnswer> {
  const { turn, chatModel, instructions, messages } = call;
  const frame = { agentId: 'aside', agentType: 'aside', depth: 1, tools: [], message: UNKEPT };
  return runInContext(contextOf(call), () =>
    runInAgentFrame(frame, async () => {
      const { model } = chatModel;
      const abortSignal = turn.signal;
      const result = await generateText({ model, system: instructions, messages, abortSignal });
      const { text, finishReason, usage, providerMetadata } = result;
      return { text: text.trim(), usage: usageOfStep(usage, providerMetadata), finishReason };
    }),
  );
}

function contextOf({ turn, workspace, chatModel }: SideCall): RequestContext {
  return {
    sessionId: turn.sessionId,
    workspaceId: workspace,
    writer: { write: (chunk) => turn.push(chunk), merge: () => {}, onError: undefined },
    signal: turn.signal,
    chatModel,
    message: UNKEPT,
  };
}
