import { ownWords } from '../core/clean-text.js';
import type { JsonObject } from '../core/json.js';
import type { ToolChoice } from '../core/tool.js';
import { ResponsesLoopError } from '../errors/responses-loop-error.js';
import type { BetweenView, RoundChange } from '../loop/between-rounds.js';
import { asString, isRecord, rowOf } from '../util/guards.js';
import type { Acting } from './acting.js';

/** The state of a call before one of its follow-up rounds. */
export interface RoundToPrepare extends BetweenView {
  /** The cost of all earlier rounds, by the setting `price`. Unset if it is unknown. */
  readonly cost?: number;
}

/** Changes to the next round alone, as `prepareStep` makes them to a step. Messages stay in the conversation. */
export interface PreparedRound {
  /** Messages of the user that the model reads behind the outputs. The next turn of the conversation has them, too. */
  readonly addMessages?: readonly (string | { readonly role: 'user'; readonly content: string })[] | undefined;
  /** Names of the tools that the round offers, also of deferred ones. @default all except deferred ones */
  readonly activeTools?: readonly string[] | undefined;
  /** As in a call of the AI SDK. */
  readonly toolChoice?: 'auto' | 'none' | 'required' | { readonly type: 'tool'; readonly toolName: string } | undefined;
  /** The id of another model of this provider. */
  readonly model?: string | undefined;
  /** How much the model reasons: a value of the option of this name. */
  readonly reasoningEffort?: string | undefined;
  /** Ends the loop: after one round in which the model answers without tools (`'answer'`), or at once (`'now'`). */
  readonly stop?: 'answer' | 'now' | undefined;
}

/**
 * Called before each follow-up round. A rejection ends the call.
 *
 * @example
 * prepareRound: ({ roundNumber }) => (roundNumber > 5 ? { model: 'gpt-5.1-mini', activeTools: ['search'] } : undefined)
 */
export type PrepareRound = (
  round: RoundToPrepare,
) => PreparedRound | undefined | void | PromiseLike<PreparedRound | undefined | void>;

/** Acts by a function of the app. */
export function prepareWith(prepare: PrepareRound, costOfView: (view: BetweenView) => number | undefined): Acting {
  return {
    async before(view) {
      const cost = costOfView(view);
      const prepared: unknown = await prepare({ ...view, ...(cost !== undefined && { cost }) });
      return prepared === undefined || prepared === null ? undefined : readPrepared(prepared, view);
    },
  };
}

type Reader = (value: unknown, view: BetweenView) => RoundChange | undefined;

/** Readers of the members; `undefined` for a value that cannot be read. */
const MEMBERS: Readonly<Record<string, { readonly read: Reader; readonly wants: string }>> = {
  addMessages: {
    wants: 'a list of texts, or of { role: "user", content } with a text',
    read: (value) => {
      const texts = Array.isArray(value) ? value.map(textOf) : [undefined];
      return texts.every((text) => text !== undefined) ? { texts } : undefined;
    },
  },
  activeTools: {
    wants: 'a list of names of tools of this call',
    read(value, { tools, keptBack }) {
      const known = new Set<unknown>([...tools, ...keptBack]);
      const names = Array.isArray(value) ? value.map(String) : [undefined];
      return names.every((name) => known.has(name)) ? { tools: names.map(String) } : undefined;
    },
  },
  toolChoice: { wants: '"auto", "none", "required" or { type: "tool", toolName }', read: readChoice },
  model: {
    wants: 'the id of a model',
    read: (value) => (typeof value === 'string' && value.trim() !== '' ? { modelId: value } : undefined),
  },
  reasoningEffort: {
    wants: 'a text',
    read: (value) =>
      typeof value === 'string' ? { options: { reasoningEffort: value } satisfies JsonObject } : undefined,
  },
  stop: {
    wants: '"answer" or "now"',
    read: (value) => (value === 'answer' || value === 'now' ? { stop: value, stoppedBy: 'prepareRound' } : undefined),
  },
};

function readPrepared(prepared: unknown, view: BetweenView): RoundChange {
  if (!isRecord(prepared)) throw wrong('prepareRound must return an object or nothing.');
  let change: RoundChange = {};
  for (const [name, value] of Object.entries(prepared)) {
    if (value === undefined) continue;
    const member = rowOf(MEMBERS, name);
    if (member === undefined)
      throw wrong(
        `prepareRound returned "${name}", which it cannot. It may return: ${Object.keys(MEMBERS).join(', ')}.`,
      );
    const read = member.read(value, view);
    if (read === undefined) throw wrong(`"${name}" of prepareRound must be ${member.wants}${tail(name, view)}.`);
    change = { ...change, ...read };
  }
  return change;
}

function tail(name: string, { tools }: BetweenView): string {
  return name === 'activeTools' ? `: ${tools.length === 0 ? 'it has none' : tools.join(', ')}` : '';
}

function textOf(message: unknown): string | undefined {
  const text = isRecord(message) && message['role'] === 'user' ? asString(message['content']) : asString(message);
  return text === undefined || text.trim() === '' ? undefined : text;
}

function readChoice(value: unknown, { tools, keptBack }: BetweenView): RoundChange | undefined {
  if (value === 'auto' || value === 'none' || value === 'required') return { toolChoice: { type: value } };
  const name = isRecord(value) && value['type'] === 'tool' ? asString(value['toolName']) : undefined;
  if (name === undefined || !(tools.includes(name) || keptBack.includes(name))) return undefined;
  return { toolChoice: { type: 'tool', name } satisfies ToolChoice };
}

function wrong(message: string): ResponsesLoopError {
  return new ResponsesLoopError({ code: 'invalid-options', message: ownWords(message) });
}
