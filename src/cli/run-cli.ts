import { readFileSync } from 'node:fs';
import { showControls } from '../util/control-characters.js';
import { errorText } from '../util/error-text.js';
import { type Terminal, UsageError } from './command.js';
import { COMMANDS } from './commands.js';

const WRONG_ARGUMENTS = 2;
const FAILED = 1;
/** A shell's exit code for a process that SIGINT ended. */
const INTERRUPTED = 130;

function overview(): string {
  const width = Math.max(...Object.keys(COMMANDS).map((name) => name.length));
  const rows = Object.entries(COMMANDS).map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`);
  return `Usage: npx responses-loop <command> [options]\n\n${rows.join('\n')}\n\nnpx responses-loop <command> --help shows all options of a command; --version shows the version.\n`;
}

function version(): string {
  // The path is the same from the sources and from the build.
  const file = new URL('../../package.json', import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { readonly version: string }).version;
}

/** Runs one command line and resolves with its exit code; never throws. */
export async function runCli(args: readonly string[], terminal: Terminal): Promise<number> {
  const [name = '', ...rest] = args;
  if (['', 'help', '--help', '-h'].includes(name)) {
    (name === '' ? terminal.stderr : terminal.stdout).write(overview());
    return name === '' ? WRONG_ARGUMENTS : 0;
  }
  if (['version', '--version', '-v'].includes(name)) {
    terminal.stdout.write(`${version()}\n`);
    return 0;
  }
  const row = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (row === undefined) {
    terminal.stderr.write(`There is no command "${showControls(name)}".\n\n${overview()}`);
    return WRONG_ARGUMENTS;
  }
  try {
    const command = await row.load();
    if (asksForHelp(rest)) {
      terminal.stdout.write(command.help);
      return 0;
    }
    return await command.run(rest, terminal);
  } catch (error) {
    if (terminal.signal.aborted) return INTERRUPTED;
    terminal.stderr.write(`responses-loop ${name}: ${showControls(errorText(error))}\n`);
    if (!isAboutArguments(error)) return FAILED;
    terminal.stderr.write(`npx responses-loop ${name} --help shows its options.\n`);
    return WRONG_ARGUMENTS;
  }
}

function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return (end === -1 ? args : args.slice(0, end)).some((arg) => arg === '--help' || arg === '-h');
}

/** True for our error, or that of Node's `parseArgs`. */
function isAboutArguments(error: unknown): boolean {
  return error instanceof UsageError || String((error as { code?: unknown }).code).startsWith('ERR_PARSE_ARGS');
}
