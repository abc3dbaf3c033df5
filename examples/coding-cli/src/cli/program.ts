import { Command, Option } from 'commander';
import { ISOLATION } from 'responses-loop-example-shared/sandbox.js';
import { APPROVAL, SANDBOX } from '../protocol/settings.js';
import type { ChatOptions } from './chat.js';
import type { ExecOptions } from './exec.js';
import { CommandError, EXIT, type ExitCode } from './exit-codes.js';
import { collect, type GlobalOptions, oneOf, sandboxWord, wholeNumber } from './options.js';
import type { ProtoOptions } from './proto.js';
import type { SessionsOptions } from './sessions.js';

/** Runs what the arguments say. */
export async function runProgram(args: readonly string[]): Promise<ExitCode> {
  let code: ExitCode = EXIT.done;
  const program = createProgram(async (command) => {
    code = await command();
  });
  await program.parseAsync([...args], { from: 'user' });
  return code;
}

/** Commands are loaded when they are asked for: a list of sessions needs no model. */
type Run = (command: () => Promise<ExitCode>) => Promise<void>;

const SAFETY = `
The file tools are held to the roots, but a command that is allowed can do whatever you can, unless
--sandbox auto or required runs it in bubblewrap. Look at what you allow.`;

const SANDBOX_HELP = `${SANDBOX.options.join(', ')}; and whether the system isolates commands: ${ISOLATION.join(', ')} (default: off); repeatable`;

function createProgram(run: Run): Command {
  const program = withGlobalOptions(new Command('coder'))
    .description('A coding agent: it reads, edits and runs code in a folder, and asks before it should.')
    .addHelpText('after', SAFETY)
    .exitOverride()
    .showHelpAfterError('coder --help says what there is.');
  const command = (written: string, description: string, isDefault = false): Command =>
    program.command(written, { isDefault }).description(description).exitOverride();

  command('chat', 'talk in the terminal (also without the word)', true)
    .argument('[prompt]', 'said at once')
    .action((prompt: string | undefined, _own, self: Command) =>
      run(async () => (await import('./chat.js')).chat(prompt, self.optsWithGlobals<ChatOptions>())),
    );
  withSessionChoice(command('exec', 'do one task, without asking anybody'))
    .argument('<prompt>', 'the task; - reads it from stdin')
    .option('--json', 'print events, a line each')
    .option('--output-last-message <file>', 'write the answer there, too')
    .option('--output-schema <file>', 'the answer has to be JSON of this JSON schema')
    .action((prompt: string, _own, self: Command) =>
      run(async () => (await import('./exec.js')).exec(prompt, self.optsWithGlobals<ExecOptions>())),
    );
  withSessionChoice(command('proto', 'submissions as JSON lines on stdin, events as JSON lines on stdout'))
    .option('--schema', 'print the JSON schema of both, and end')
    .action((_own, self: Command) =>
      run(async () => (await import('./proto.js')).proto(self.optsWithGlobals<ProtoOptions>())),
    );
  command('resume', 'go on with a session in the terminal')
    .argument('[prefix]', 'the beginning of its id; without one the last session of this folder')
    .argument('[prompt]', 'said at once')
    .option('--last', 'the last session of this folder; the first argument is the prompt then')
    .option('--session-id <prefix>', 'the same as the argument')
    .action((first: string | undefined, second: string | undefined, _own, self: Command) =>
      run(async () => {
        const { choice, prompt } = resumed(first, second, self.opts());
        return (await import('./chat.js')).chat(prompt, { ...self.optsWithGlobals<GlobalOptions>(), ...choice });
      }),
    );
  command('sessions', 'list the sessions of this folder, newest first')
    .option('--json', 'print JSON')
    .option('--all', 'of every folder')
    .action((_own, self: Command) =>
      run(async () => (await import('./sessions.js')).sessions(self.optsWithGlobals<SessionsOptions>())),
    );
  command('show', 'print what was said and done')
    .argument('<prefix>', 'the beginning of the id of the session')
    .option('--json', 'print JSON')
    .action((prefix: string, own: { json?: boolean }) =>
      run(async () => (await import('./show.js')).show(prefix, own)),
    );
  command('undo', 'put back the files of the last turn, or of that one')
    .argument('<prefix>', 'the beginning of the id of the session')
    .option('--turn <n>', 'which turn', wholeNumber(1))
    .action((prefix: string, own: { turn?: number }) => run(async () => (await import('./undo.js')).undo(prefix, own)));
  command('config', 'print every setting, its value and where it comes from')
    .option('--json', 'print JSON')
    .action((_own, self: Command) =>
      run(async () => (await import('./config.js')).config(self.optsWithGlobals<GlobalOptions & { json?: boolean }>())),
    );
  command('version', 'print the version').action(() => run(async () => (await import('./version.js')).version()));
  return program;
}

function withGlobalOptions(program: Command): Command {
  return program
    .option('-C, --cd <dir>', 'the workspace (default: where you are)')
    .option('--add-dir <dir>', 'a further root that may be read and written; repeatable', collect)
    .option('-a, --approval <mode>', APPROVAL.options.join(', '), oneOf(APPROVAL.options))
    .option('-s, --sandbox <word>', SANDBOX_HELP, sandboxWord)
    .option('--sandbox-network', 'commands in the sandbox of the system reach the network')
    .option('--max-turns <n>', 'rounds with tools in one task (default: 20)', wholeNumber(1))
    .option('--allow <rule>', 'a rule as /permissions shows it; repeatable', collect)
    .option('--env-file <file>', 'variables, before those of the environment')
    .option('--log <file>', 'write every event of the provider there, a line each')
    .option('--no-project-doc', 'do not read AGENTS.md')
    .option('--no-color', 'no colours')
    .option('-q, --quiet', 'nothing on stderr but problems')
    .option('--base-url <url>', 'the server of the model (OPENAI_BASE_URL)')
    .option('--api-key <key>', 'its key (OPENAI_API_KEY)')
    .option('--model <id>', 'the model (MODEL)')
    .option('--offline', 'let the built-in stand-in answer')
    .option('--stock', 'answer through @ai-sdk/openai (RESPONSES_LOOP=off)')
    .option('--record <dir>', 'keep every exchange with the model')
    .option('--replay <dir>', 'answer from what was kept, without a server')
    .option('--mcp-config <file>', 'MCP servers: {"mcpServers": {…}}');
}

function withSessionChoice(command: Command): Command {
  return command
    .option('--resume <prefix>', 'go on with the session whose id begins so')
    .addOption(new Option('--last', 'go on with the last session of this folder').conflicts('resume'));
}

interface ResumeFlags {
  readonly last?: boolean;
  readonly sessionId?: string;
}

/** `coder resume [PREFIX] [PROMPT]`: where a flag says which session, the first argument is the prompt. */
export function resumed(first: string | undefined, second: string | undefined, { last, sessionId }: ResumeFlags) {
  if (last !== true && sessionId === undefined) {
    return { choice: first === undefined ? { last: true } : { resume: first }, prompt: second };
  }
  if (second !== undefined || (last === true && sessionId !== undefined)) {
    throw new CommandError(EXIT.usage, 'Say once which session: by --last, by --session-id, or by the first argument.');
  }
  return { choice: last === true ? { last } : { resume: sessionId }, prompt: first };
}
