import type { Session } from '../types/index.js';
import { say } from './say.js';

/** What commands of the chat act on. */
export interface ChatState {
  readonly session: Session | undefined;
  /** Answers the next messages. */
  model: string | undefined;
  /** The next message begins another session. */
  forget(): void;
}

interface ChatCommand {
  readonly help: string;
  run(state: ChatState, argument: string): void;
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
  usage: { help: 'tokens of this session', run: showUsage },
  exit: { help: 'leave (also /quit, Ctrl-D)', run: () => {} },
};

const OTHER_NAMES: Readonly<Record<string, string>> = { quit: 'exit', new: 'clear', cost: 'usage', '?': 'help' };

/** Does what a line says if it is a command. A path at the beginning of a sentence is none. */
export function runChatCommand(line: string, state: ChatState): 'none' | 'done' | 'leave' {
  const [, written = '', argument = ''] = /^\/([\w?-]+)(?:\s+(\S.*))?$/.exec(line.trim()) ?? [];
  if (written === '') return 'none';
  const name = OTHER_NAMES[written] ?? written;
  if (name === 'exit') return 'leave';
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) say(`agent: unknown command /${written}. Type /help for a list.`);
  else command.run(state, argument.trim());
  return 'done';
}

function showHelp(): void {
  for (const [name, { help }] of Object.entries(COMMANDS)) say(`  /${name.padEnd(6)} ${help}`);
}

function showUsage({ session }: ChatState): void {
  const usage = session?.getTokenUsage();
  if (usage === undefined) return say('agent: no tokens yet');
  const { input, output, cacheRead } = usage.breakdown;
  say(`agent: ${usage.used} tokens (${input} in, ${cacheRead} of them cached, ${output} out)`);
}
