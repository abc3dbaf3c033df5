import type { ChatData, QueuedItem } from '../../src/types.js';
import { type Agents, reduceAgents } from './agents.js';
import type { AgentItem, SessionView } from './api-types.js';
import type { Connection } from './resilient-fetch.js';

/** What is known of a chat beside its messages. */
export interface SessionState {
  readonly isLoaded: boolean;
  /** A turn runs, or has ended and what it left in the store is still being read. */
  readonly isBusy: boolean;
  /** There is no such chat, or no longer. */
  readonly isMissing: boolean;
  readonly title: string | undefined;
  readonly stored: SessionView | undefined;
  readonly agents: Agents;
  readonly progress: ReadonlyMap<string, ChatData['progress']>;
  /** Of MCP servers, open now. */
  readonly questions: ChatData['questions']['items'];
  /** Messages that wait for a turn, in the order in which the model will read them. */
  readonly queue: readonly QueuedItem[];
  /** The model is asked again, since it failed. */
  readonly retry: ChatData['retry'] | undefined;
  readonly connection: Connection;
  /** Something the page says beside the conversation. */
  readonly notice: Notice | undefined;
  /** What a command answered: it is shown, and not kept. */
  readonly aside: string | undefined;
}

export interface Notice {
  readonly kind: 'info' | 'error';
  readonly text: string;
}

export const NO_STATE: SessionState = {
  isLoaded: false,
  isBusy: false,
  isMissing: false,
  title: undefined,
  stored: undefined,
  agents: new Map(),
  progress: new Map(),
  questions: [],
  queue: [],
  retry: undefined,
  connection: { isLost: false },
  notice: undefined,
  aside: undefined,
};

/** What is stored counts, whatever was streamed. */
export function whenRead(state: SessionState, stored: SessionView, items: readonly AgentItem[]): Partial<SessionState> {
  return {
    isLoaded: true,
    isMissing: false,
    stored,
    title: stored.title,
    agents: reduceAgents(state.agents, { type: 'stored', items }),
    progress: new Map(),
    retry: undefined,
    questions: [],
    queue: stored.queue,
  };
}

type Heard = {
  readonly [Name in keyof ChatData]?: (data: ChatData[Name], state: SessionState) => Partial<SessionState>;
};

const HEARD: Heard = {
  progress: (data, { progress }) => ({ progress: new Map(progress).set(data.toolCallId, data) }),
  questions: ({ items }) => ({ questions: items }),
  queue: ({ items }) => ({ queue: items }),
  retry: (data) => ({ retry: data.attempt > 0 ? data : undefined }),
  session: ({ title }) => ({ title }),
};

/** What changes by a data part of the stream; `undefined`: nothing. */
export function whenHeard(
  state: SessionState,
  part: { readonly type: string; readonly data: unknown },
): Partial<SessionState> | undefined {
  const agents = reduceAgents(state.agents, { type: 'data', part });
  if (agents !== state.agents) return { agents };
  const name = part.type.slice('data-'.length);
  const hear = Object.hasOwn(HEARD, name) ? HEARD[name as keyof Heard] : undefined;
  return hear?.(part.data as never, state);
}
