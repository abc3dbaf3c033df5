import { Command, Option } from 'commander';
import { helpExamples, helpHint } from 'responses-loop-example-shared/help-text.js';
import { refuseFlagsAsValues } from 'responses-loop-example-shared/flag-values.js';
import { withModelFlags } from 'responses-loop-example-shared/model-flags.js';
import { packageVersion } from 'responses-loop-example-shared/package-version.js';
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
  await refuseFlagsAsValues(program).parseAsync([...args], { from: 'user' });
  return code;
}

/** Commands are loaded when they are asked for: a list of sessions needs no model. */
type Run = (command: () => Promise<ExitCode>) => Promise<void>;

const SAFETY = `
The file tools cannot leave the workspace and --add-dir. A command that you
allow can do whatever you can, unless --sandbox auto or required runs it in
bubblewrap.`;

const SANDBOX_HELP = `${SANDBOX.options.join(', ')}; and whether the system isolates commands: ${ISOLATION.join(', ')} (default: off); repeatable`;

function createProgram(run: Run): Command {
  const program = withGlobalOptions(new Command('coder'))
    .description('A coding agent: it reads, edits and runs code in a folder, and asks before risky actions.')
    .version(`coder ${packageVersion()}`, '--version', 'print the version')
    .addHelpText('after', SAFETY)
    .addHelpText(
      'after',
      helpExamples('coder', 'coder "make the failing test pass"', 'coder exec "fix the build" --json'),
    )
    .configureHelp({ showGlobalOptions: true })
    .exitOverride()
    .showHelpAfterError(helpHint('coder'));
  const command = (written: string, description: string, ...examples: readonly string[]): Command =>
    program
      .command(written, { isDefault: written === 'chat' })
      .description(description)
      .addHelpText('after', helpExamples(...examples))
      .exitOverride();

  command(
    'chat',
    'start an interactive session (default)',
    'coder chat "explain this repository"',
    'git diff | coder "review this"',
  )
    .argument('[prompt]', 'first message; piped input follows it; both are one task')
    .action((prompt: string | undefined, _own, self: Command) =>
      run(async () => (await import('./chat.js')).chat(prompt, self.optsWithGlobals<ChatOptions>())),
    );
  const exec = command(
    'exec',
    'run one task non-interactively',
    'coder exec "run the tests and fix what fails"',
    'git diff | coder exec - --output-last-message review.md',
    'coder exec "what is wrong on this page?" --image page.png',
  );
  withSessionChoice(exec)
    .argument('<prompt>', 'the task; - reads it from stdin')
    .option('--image <file>', 'send this image with the prompt; repeatable', collect)
    .option('--json', 'print events, one per line')
    .option('--output-last-message <file>', 'also write the answer to this file')
    .option('--output-schema <file>', 'require an answer in JSON of this JSON schema')
    .action((prompt: string, _own, self: Command) =>
      run(async () => (await import('./exec.js')).exec(prompt, self.optsWithGlobals<ExecOptions>())),
    );
  const proto = command(
    'proto',
    'read submissions as JSON lines from stdin, print events as JSON lines',
    'coder proto --schema',
    `echo '{"id":"s1","op":{"type":"user_input","text":"hi"}}' | coder proto`,
  );
  withSessionChoice(proto)
    .option('--schema', 'print the JSON schema of both and exit')
    .action((_own, self: Command) =>
      run(async () => (await import('./proto.js')).proto(self.optsWithGlobals<ProtoOptions>())),
    );
  command('resume', 'continue a session in the terminal', 'coder resume', 'coder resume 3f2a "now add a test"')
    .argument(
      '[prefix]',
      'the first characters of its id (default: the last session of this folder, or a list if there are several)',
    )
    .argument('[prompt]', 'first message')
    .option('--last', 'the last session of this folder; the first argument is then the prompt')
    .option('--session-id <prefix>', 'the same as the argument')
    .action((first: string | undefined, second: string | undefined, _own, self: Command) =>
      run(async () => {
        const { choice, prompt } = resumed(first, second, self.opts());
        return (await import('./chat.js')).chat(prompt, { ...self.optsWithGlobals<GlobalOptions>(), ...choice });
      }),
    );
  command('sessions', 'list the sessions of this folder, newest first', 'coder sessions', 'coder sessions --all --json')
    .option('--json', 'print JSON')
    .option('--all', 'list the sessions of all folders')
    .action((_own, self: Command) =>
      run(async () => (await import('./sessions.js')).sessions(self.optsWithGlobals<SessionsOptions>())),
    );
  command('show', 'print the messages and actions of a session', 'coder show 3f2a')
    .argument('<prefix>', 'the first characters of the session id')
    .option('--json', 'print JSON')
    .action((prefix: string, own: { json?: boolean }) =>
      run(async () => (await import('./show.js')).show(prefix, own)),
    );
  command('undo', 'restore the files of the last turn, or of the given one', 'coder undo 3f2a --turn 2')
    .argument('<prefix>', 'the first characters of the session id')
    .option('--turn <n>', 'which turn', wholeNumber(1))
    .action((prefix: string, own: { turn?: number }) => run(async () => (await import('./undo.js')).undo(prefix, own)));
  command('config', 'print every setting, its value and its source', 'coder config', 'coder config --json')
    .option('--json', 'print JSON')
    .action((_own, self: Command) =>
      run(async () => (await import('./config.js')).config(self.optsWithGlobals<GlobalOptions & { json?: boolean }>())),
    );
  const mcp = command('mcp', 'sign in at MCP servers', 'coder mcp list', 'coder mcp login docs --mcp-config mcp.json');
  mcp
    .command('list')
    .description('list the servers of --mcp-config, and where you are signed in')
    .addHelpText('after', helpExamples('coder mcp list --mcp-config mcp.json'))
    .action((_own, self: Command) =>
      run(async () => (await import('./mcp.js')).mcpList(self.optsWithGlobals<GlobalOptions>())),
    );
  mcp
    .command('login <server>')
    .description('sign in with a browser, and store the tokens in your own folder')
    .addHelpText('after', helpExamples('coder mcp login docs --mcp-config mcp.json'))
    .action((server: string, _own, self: Command) =>
      run(async () => (await import('./mcp.js')).mcpLogin(server, self.optsWithGlobals<GlobalOptions>())),
    );
  mcp
    .command('logout <server>')
    .description('sign out, and delete the tokens')
    .addHelpText('after', helpExamples('coder mcp logout docs --mcp-config mcp.json'))
    .action((server: string, _own, self: Command) =>
      run(async () => (await import('./mcp.js')).mcpLogout(server, self.optsWithGlobals<GlobalOptions>())),
    );
  command('version', 'print the version', 'coder version').action(() =>
    run(async () => (await import('./version.js')).version()),
  );
  return program;
}

function withGlobalOptions(program: Command): Command {
  program
    .option('-C, --cd <dir>', 'the workspace (default: the current folder)')
    .option('--add-dir <dir>', 'another folder that may be read and written; repeatable', collect)
    .option('-a, --approval <mode>', APPROVAL.options.join(', '), oneOf(APPROVAL.options))
    .option('--plan', 'only read, and present a plan first; you approve, change or reject it')
    .option('-s, --sandbox <word>', SANDBOX_HELP, sandboxWord)
    .option('--sandbox-network', 'let sandboxed commands reach the network')
    .option(
      '--web-search',
      'let the server search the web on its own, without asking, if it supports that (OpenAI, Azure, xAI)',
    )
    .option('--max-turns <n>', 'rounds of tool calls per task (default: 20)', wholeNumber(1))
    .option('--price <in,out,cached>', 'prices per million tokens, to show the cost: 1.25,10,0.125')
    .option('--allow <rule>', 'a rule as /permissions prints it; repeatable', collect)
    .option('--env-file <file>', 'read variables from this file, before the environment')
    .option('--log <file>', 'write every event of the provider to this file, one per line')
    .option('--no-project-doc', 'do not read AGENTS.md')
    .option('--no-color', 'do not use colors')
    .option('-q, --quiet', 'print only errors to stderr');
  return withModelFlags(program);
}

function withSessionChoice(command: Command): Command {
  return command
    .option('--resume <prefix>', 'continue the session whose id starts with this')
    .addOption(new Option('--last', 'continue the last session of this folder').conflicts('resume'));
}

interface ResumeFlags {
  readonly last?: boolean;
  readonly sessionId?: string;
}

/** `coder resume [PREFIX] [PROMPT]`: where a flag says which session, the first argument is the prompt. */
export function resumed(first: string | undefined, second: string | undefined, { last, sessionId }: ResumeFlags) {
  if (last !== true && sessionId === undefined) {
    return { choice: first === undefined ? { last: true, isListed: true } : { resume: first }, prompt: second };
  }
  if (second !== undefined || (last === true && sessionId !== undefined)) {
    throw new CommandError(EXIT.usage, 'Name the session only once: with --last, --session-id or the first argument.');
  }
  return { choice: last === true ? { last } : { resume: sessionId }, prompt: first };
}
