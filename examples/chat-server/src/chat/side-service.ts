import { HttpError } from '../errors.js';
import type { ModelRegistry } from '../models/registry.js';
import { resolveChatModel } from '../models/resolve-chat-model.js';
import { newId } from '../store/ids.js';
import type { SessionStore } from '../store/session-store.js';
import type { ChatChunk, ChatRequest, StoredMessage, UsageData } from '../types.js';
import { badRequest } from './check-request.js';
import { type Command, COMMANDS, parseCommand } from './command-parser.js';
import type { Commands } from './commands.js';
import { describeError, type Failure } from './describe-error.js';
import { toModelMessages } from './message-chain.js';
import type { TurnResult } from './orchestrator.js';
import { RunningTurn } from './running-turn.js';
import { type RunningTurns } from './running-turns.js';
import type { Started } from './service.js';
import { askAside } from './side-call.js';

export interface SideServiceOptions {
  readonly sessions: SessionStore;
  readonly models: ModelRegistry;
  readonly turns: RunningTurns;
  readonly commands: Commands;
  readonly workspace: string;
  readonly secrets: readonly string[];
  /** Whether a question of the chat waits for the person. */
  readonly isAsking: (sessionId: string) => Promise<boolean>;
}

type Submit = Extract<ChatRequest, { trigger: 'submit-message' }>;

/** What was said, and nothing of it stored by this room. */
interface Answer {
  readonly text: string;
  readonly usage: UsageData;
  readonly finishReason?: string;
  readonly title?: string | undefined;
}

/** Answers beside the conversation: commands, and single questions. */
export class SideService {
  readonly #options: SideServiceOptions;

  constructor(options: SideServiceOptions) {
    this.#options = options;
  }

  /** `undefined`: the request is a turn of the chat. */
  async start(request: ChatRequest): Promise<Started | undefined> {
    if (request.trigger !== 'submit-message') return undefined;
    if (request.intent === 'utility') return this.#ask(request);
    const command = parseCommand(textOf(request));
    if (command !== undefined && request.messageId !== undefined)
      throw badRequest('"messageId": a command cannot replace a message; send it as a new one');
    if (command !== undefined) return this.#run(request, command);
    if (request.intent === 'chat') return undefined;
    const known = Object.keys(COMMANDS).map((name) => `/${name}`);
    throw new HttpError(404, 'no_such_command', `Unknown command. Known commands: ${known.join(', ')}.`);
  }

  /** A command may change the chat, so it takes its turn. */
  async #run(request: Submit, command: Command): Promise<Started> {
    const { models, turns, sessions, commands } = this.#options;
    const chatModel = await resolveChatModel(models, request);
    const turn = turns.begin(request.id);
    const answer = async (): Promise<Answer> => {
      const session = await sessions.find(request.id);
      return commands.run({ turn, session, chatModel, command });
    };
    return { turn, result: this.#follow(turn, answer) };
  }

  /** Nothing is stored, so the chat may go on meanwhile. */
  async #ask(request: Submit): Promise<Started> {
    const { models, workspace } = this.#options;
    const chatModel = await resolveChatModel(models, request);
    const turn = new RunningTurn({ sessionId: request.id, graceMs: 0 });
    const answer = async (): Promise<Answer> => {
      const messages = await toModelMessages([questionOf(request)], { tools: {}, skillText: (name) => name });
      const instructions = 'Answer this one question, briefly.';
      return askAside({ turn, chatModel, workspace, instructions, messages });
    };
    return { turn, result: this.#follow(turn, answer) };
  }

  async #follow(turn: RunningTurn, work: () => Promise<Answer>): Promise<TurnResult> {
    turn.expectListeners();
    const id = newId('msg');
    let [finishReason, failure]: [string, Failure | undefined] = ['stop', undefined];
    let message: StoredMessage | undefined;
    turn.push({ type: 'start', messageId: id });
    try {
      const answer = await work();
      for (const chunk of chunksOf(answer, turn.sessionId)) turn.push(chunk);
      message = messageOf(id, answer);
      turn.cameTo((await this.#options.isAsking(turn.sessionId)) ? 'asking' : 'well');
      finishReason = answer.finishReason ?? 'stop';
    } catch (error) {
      finishReason = turn.signal.aborted ? 'aborted' : 'error';
      if (!turn.signal.aborted) failure = describeError(error, this.#options.secrets);
      turn.push(
        failure === undefined
          ? { type: 'abort' }
          : { type: 'error', errorText: failure.message, ...{ code: failure.code } },
      );
    } finally {
      turn.end();
    }
    return { message, finishReason, failure };
  }
}

function textOf({ message }: Submit): string {
  const [part] = message.parts;
  return message.parts.length === 1 && part?.type === 'text' ? part.text : '';
}

function questionOf({ message }: Submit): StoredMessage {
  const { id, role, parts } = message;
  return { id, role, parts, parentMessageId: null, messageKind: 'normal', metadata: {}, createdAt: '' };
}

function chunksOf({ text, usage, title }: Answer, sessionId: string): ChatChunk[] {
  const part = 'answer';
  return [
    ...(title === undefined
      ? []
      : [{ type: 'data-session', data: { id: sessionId, title }, transient: true } as const]),
    { type: 'start-step' },
    { type: 'text-start', id: part },
    { type: 'text-delta', id: part, delta: text },
    { type: 'text-end', id: part },
    { type: 'finish-step' },
    { type: 'data-usage', data: usage, transient: true },
    { type: 'finish', finishReason: 'stop' },
  ];
}

function messageOf(id: string, { text, usage }: Answer): StoredMessage {
  return {
    id,
    parentMessageId: null,
    role: 'assistant',
    messageKind: 'normal',
    parts: [{ type: 'text', text, state: 'done' }],
    metadata: { usage },
    createdAt: new Date().toISOString(),
  };
}
