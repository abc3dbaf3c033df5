import type { Engine } from '../../engine/engine.js';
import type { PastSession } from '../options.js';

/** A value behind a command, with a few words beside it. */
export type Value = readonly [value: string, help: string];

export interface ValueSources {
  readonly engine: Engine;
  readonly models: () => readonly string[];
  readonly sessions: () => readonly PastSession[];
}

interface ValueList {
  list(sources: ValueSources, written: string): readonly Value[];
  /** Whether Enter alone takes none of them: it would change something that nobody asked for. */
  isOnlyChosen(written: string): boolean;
  /** Shown if a list that was loaded is empty. */
  readonly none?: Value;
}

/** Commands whose values are chosen in a list. */
export const VALUE_LISTS: Readonly<Record<string, ValueList>> = {
  model: {
    list: ({ engine, models }) => models().map((model) => [model, model === engine.session.model ? 'now' : '']),
    isOnlyChosen: (written) => written === '',
    none: ['No list of models from the server', 'write the name of one'],
  },
  resume: {
    list: ({ engine, sessions }) =>
      sessions()
        .filter(({ id }) => id !== engine.session.session_id)
        .map(({ id, title, turns }) => [id.slice(0, 8), `${turns} ${turns === 1 ? 'turn' : 'turns'} · ${title}`]),
    isOnlyChosen: () => false,
  },
  permissions: {
    list: ({ engine }) => engine.view.rules().map(({ text }) => [`remove ${text}`, '']),
    isOnlyChosen: () => true,
  },
  mcp: {
    list: ({ engine: { view } }) => [
      ...view.mcpServers.flatMap(({ server }): Value[] => [
        [`login ${server}`, 'sign in with a browser'],
        [`logout ${server}`, 'sign out and delete the tokens'],
      ]),
      ['reconnect', 'reconnect all servers; the conversation continues'],
    ],
    isOnlyChosen: () => true,
  },
  back: { list: messages, isOnlyChosen: (written) => / /.test(written) },
};

/** Messages, the newest first; behind one of them, what becomes of the files. */
function messages({ engine: { view } }: ValueSources, written: string): readonly Value[] {
  const [, turn] = /^(\d+) /.exec(written) ?? [];
  if (turn === undefined)
    return view
      .messages()
      .map(({ turn: number, text }): Value => [String(number), text])
      .toReversed();
  const count = view.changedSince(Number(turn)).length;
  return [
    [`${turn} keep`, 'files stay as they are'],
    [`${turn} restore`, `${count} ${count === 1 ? 'file is' : 'files are'} restored to what they were before it`],
  ];
}
