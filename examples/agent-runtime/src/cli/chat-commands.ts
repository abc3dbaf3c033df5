import type { Session } from '../types/index.js';
import { compactionLine } from './compact.js';
import { takenBackLine } from './pop.js';
import { say } from './say.js';

/** What commands of the chat act on. */
export interface ChatState {
  readonly session: Session | undefined;
  /** Goes on with another session. */
  fork(turn: number | undefined): Promise<void>;
  /** Answers the next messages. */
  model: string | undefined;
  /** The next message begins another session. */
  forget(): void;
}

interface ChatCommand {
  readonly help: string;
  run(state: ChatState, argument: string): void | Promise<void>;
}

const COMMANDS: Readonly<Record<string, ChatCommand>> = {
  help: { help: 'list these commands', run: showHelp },
  model: {
    help: 'show the model; /model NAME switches',
    run: (state, name) => {
      if (name !== '') state.model = name;
      say(`agent: model ${state.model ?? '(chosen by the driver)'}`);
    },
  },
  clear: {
    help: 'begin another session with the next message',
    run: (state) => {
      state.forget();
      say('agent: the next message begins another session');
    },
  },
  compact: { help: 'replace older turns with a summary', run: runCompact },
  pop: { help: 'take the last turn back', run: runPop },
  fork: { help: 'go on in a copy of this session; /fork TURN: up to that turn', run: runFork },
  usage: { help: 'tokens of this session', run: showUsage },
  exit: { help: 'leave (also /quit, Ctrl-D)', run: () => {} },
};

const OTHER_NAMES: Readonly<Record<string, string>> = {
  undo: 'pop',
  quit: 'exit',
  new: 'clear',
  cost: 'usage',
  '?': 'help',
};

/** Does what a line says if it is a command. A path at the beginning of a sentence is none. */
export async function runChatCommand(line: string, state: ChatState): Promise<'none' | 'done' | 'leave'> {
  const [, written = '', argument = ''] = /^\/([\w?-]+)(?:\s+(\S.*))?$/.exec(line.trim()) ?? [];
  if (written === '') return 'none';
  const name = OTHER_NAMES[written] ?? written;
  if (name === 'exit') return 'leave';
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) say(`agent: unknown command /${written}. Type /help for a list.`);
  else await command.run(state, argument.trim());
  return 'done';
}

function showHelp(): void {
  for (const [name, { help }] of Object.entries(COMMANDS)) say(`  /${name.padEnd(7)} ${help}`);
}

async function runCompact({ session }: ChatState): Promise<void> {
  say(compactionLine((await session?.compact()) ?? null));
}

async function runPop({ session }: ChatState): Promise<void> {
  if (session === undefined) return say('agent: no turns yet');
  say(takenBackLine(await session.pop()));
}

async function runFork(state: ChatState, written: string): Promise<void> {
  if (state.session === undefined) return say('agent: no session yet');
  if (!/^\d{0,9}$/.test(written)) return say('agent: /fork takes the number of a turn');
  await state.fork(written === '' ? undefined : Number(written));
}

function showUsage({ session }: ChatState): void {
  const usage = session?.getTokenUsage();
  if (usage === undefined) return say('agent: no tokens yet');
  const { input, output, cacheRead } = usage.breakdown;
  say(`agent: ${usage.used} tokens (${input} in, ${cacheRead} of them cached, ${output} out)`);
}
