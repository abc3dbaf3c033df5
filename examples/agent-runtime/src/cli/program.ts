import { Command, Option } from 'commander';
import { helpExamples, helpHint } from 'responses-loop-example-shared/help-text.js';
import { refuseFlagsAsValues } from 'responses-loop-example-shared/flag-values.js';
import { withModelFlags } from 'responses-loop-example-shared/model-flags.js';
import { packageVersion } from 'responses-loop-example-shared/package-version.js';
import { EXIT, type ExitCode } from './exit-codes.js';
import { duration, type GlobalOptions, type PageOptions, type SessionChoice, wholeNumber } from './options.js';
import type { AnswerOptions } from './approvals.js';
import type { ForkCommandOptions } from './fork.js';
import type { PruneCommandOptions } from './prune.js';
import type { SendCommandOptions } from './send.js';
import type { ServeOptions } from './serve.js';

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

function createProgram(run: Run): Command {
  const program = withGlobalOptions(
    new Command('agent')
      .description('A CLI agent with persistent sessions.')
      .version(`agent ${packageVersion()}`, '--version', 'print the version')
      .addHelpText(
        'after',
        helpExamples('agent chat', 'agent send "What is in this folder?"', 'agent serve --port 4310'),
      )
      .configureHelp({ showGlobalOptions: true })
      .exitOverride()
      .showHelpAfterError(helpHint('agent')),
  );
  const command = (written: string, description: string, ...examples: readonly string[]): Command =>
    program
      .command(written)
      .description(description)
      .addHelpText('after', helpExamples(...examples))
      .exitOverride();

  withSessionChoice(command('chat', 'chat, line by line', 'agent chat', 'agent chat --last')).action(
    (_own, self: Command) =>
      run(async () => (await import('./chat.js')).chat(self.optsWithGlobals<GlobalOptions & SessionChoice>())),
  );
  withSessionChoice(
    command('send', 'send one message and print the answer', 'agent send "Hello"', 'git diff | agent send - --last'),
  )
    .argument('<text>', 'the message; - reads it from stdin')
    .option('--json', 'print one event per line')
    .option('--schema <file>', 'a JSON schema that the answer must match')
    .addOption(new Option('--title <text>', 'the title of a new session').conflicts(['session', 'last']))
    .action((text: string, _own, self: Command) =>
      run(async () => (await import('./send.js')).send(text, self.optsWithGlobals<SendCommandOptions>())),
    );
  command('approvals', 'list the calls of a session that wait for approval', 'agent approvals 3f2a')
    .argument('<id>', 'the id of the session, or at least its first 4 characters')
    .option('--json', 'print JSON')
    .action((id: string, _own, self: Command) =>
      run(async () => (await import('./approvals.js')).approvals(id, self.optsWithGlobals<GlobalOptions>())),
    );
  for (const verb of ['approve', 'deny'] as const) {
    const what = verb === 'approve' ? 'run' : 'deny';
    command(verb, `${what} calls that wait for approval, and continue`, `agent ${verb} 3f2a`)
      .argument('<id>', 'the id of the session, or at least its first 4 characters')
      .argument('[approval...]', 'ids from `agent approvals` (default: all)')
      .option('--reason <text>', 'the reason for a denial, which the model reads')
      .option('--json', 'print one event per line')
      .action((id: string, which: readonly string[], _own, self: Command) =>
        run(async () =>
          (await import('./approvals.js')).answer(verb, id, which, self.optsWithGlobals<AnswerOptions>()),
        ),
      );
  }
  command('sessions', 'list the sessions of this workspace, newest first', 'agent sessions --limit 5')
    .option('--limit <n>', 'the maximum number of sessions', wholeNumber(0), 10)
    .option('--offset <n>', 'the number of sessions to skip', wholeNumber(0), 0)
    .option('--search <text>', 'only sessions whose title or messages contain this text')
    .option('--json', 'print JSON')
    .action((_own, self: Command) =>
      run(async () => (await import('./sessions.js')).sessions(self.optsWithGlobals<GlobalOptions & PageOptions>())),
    );
  command('show', 'print the messages of a session', 'agent show 3f2a')
    .argument('<id>', 'the id of the session, or at least its first 4 characters')
    .option('--latest <n>', 'only the last n messages that hold', wholeNumber(0))
    .option('--json', 'print JSON')
    .action((id: string, _own, self: Command) =>
      run(async () => (await import('./show.js')).show(id, self.optsWithGlobals<GlobalOptions>())),
    );
  command('compact', 'summarize the older turns of a session for the model', 'agent compact 3f2a')
    .argument('<id>', 'the id of the session, or at least its first 4 characters')
    .option('--json', 'print JSON')
    .action((id: string, _own, self: Command) =>
      run(async () => (await import('./compact.js')).compact(id, self.optsWithGlobals<GlobalOptions>())),
    );
  command('pop', 'take the last turn of a session back', 'agent pop 3f2a')
    .argument('<id>', 'the id of the session, or at least its first 4 characters')
    .option('--json', 'print JSON')
    .action((id: string, _own, self: Command) =>
      run(async () => (await import('./pop.js')).pop(id, self.optsWithGlobals<GlobalOptions>())),
    );
  command('fork', 'begin a session with the turns of another', 'agent fork 3f2a --turn 2')
    .argument('<id>', 'the id of the session, or at least its first 4 characters')
    .option('--turn <n>', 'the last turn to take over (default: all)', wholeNumber(1))
    .option('--title <text>', 'the title of the new session')
    .option('--json', 'print JSON')
    .action((id: string, _own, self: Command) =>
      run(async () => (await import('./fork.js')).fork(id, self.optsWithGlobals<ForkCommandOptions>())),
    );
  command('prune', 'delete old sessions', 'agent prune --older-than 30d', 'agent prune --keep 100 --dry-run')
    .option('--older-than <time>', 'sessions without activity for this long: 45m, 12h, 30d, 2w', duration)
    .option('--keep <n>', 'all sessions but the newest n', wholeNumber(0))
    .option('--dry-run', 'print what would be deleted')
    .option('--json', 'print JSON')
    .action((_own, self: Command) =>
      run(async () => (await import('./prune.js')).prune(self.optsWithGlobals<PruneCommandOptions>())),
    );
  command('delete', 'delete a session and its messages', 'agent delete 3f2a')
    .argument('<id>', 'the id of the session, or at least its first 4 characters')
    .action((id: string, _own, self: Command) =>
      run(async () => (await import('./delete.js')).deleteSession(id, self.optsWithGlobals<GlobalOptions>())),
    );
  command('usage', 'count the tokens of a session, or of all sessions', 'agent usage', 'agent usage 3f2a --json')
    .argument('[id]', 'the id of the session, or at least its first 4 characters')
    .option('--json', 'print JSON')
    .action((id: string | undefined, _own, self: Command) =>
      run(async () => (await import('./usage.js')).usage(id, self.optsWithGlobals<GlobalOptions>())),
    );
  command('serve', 'serve the sessions over HTTP on this machine', 'agent serve', 'agent serve --port 0')
    .option('--port <n>', 'port to listen on; 0 picks a free one', wholeNumber(0, 65_535), 4310)
    .addOption(
      new Option('--engine <name>', 'keep turns in the database, so that other machines can continue them').choices([
        'dbos',
        'restate',
      ]),
    )
    .option('--restate <url>', 'the ingress of the Restate server, such as http://127.0.0.1:8080')
    .option('--restate-port <n>', 'port on which Restate calls this instance (default: 9080)', wholeNumber(0, 65_535))
    .option('--restate-key <key>', 'the public key with which Restate signs its calls; anything but loopback needs it')
    .option('--host <address>', 'address to listen on; anything but loopback needs AGENT_TOKEN', '127.0.0.1')
    .action((_own, self: Command) =>
      run(async () => (await import('./serve.js')).serve(self.optsWithGlobals<ServeOptions>())),
    );
  return program;
}

function withGlobalOptions(program: Command): Command {
  program
    .option('-w, --workspace <dir>', 'the folder whose sessions to use', '.')
    .option('--database <url>', 'use the sessions of a Postgres database (postgres://…), not those of the folder')
    .option('--system <text>', 'the system prompt')
    .addOption(new Option('--driver <name>', 'the driver that answers').choices(['mono', 'echo', 'coder', 'process']))
    .addOption(
      new Option('--approve <mode>', 'what to do with calls that are not known to be read-only')
        .choices(['ask', 'all', 'none'])
        .default('ask'),
    )
    .option('--trust <server>', 'an MCP server whose read-only tools run without asking; repeatable', collect, [])
    .option('--max-steps <n>', 'the maximum number of tool rounds in one turn', wholeNumber(1))
    .option(
      '--context-window <tokens>',
      "the model's context window, if neither its name nor its server reveals it",
      wholeNumber(1),
    )
    .option(
      '--compact-at <percent>',
      'the share of the window that starts a summary; 0: never (default: 80)',
      wholeNumber(0, 95),
    );
  return withModelFlags(program);
}

function collect(value: string, all: readonly string[]): readonly string[] {
  return [...all, value];
}

function withSessionChoice(command: Command): Command {
  return command
    .option('--session <id>', 'continue this session; the first characters of its id are enough')
    .addOption(new Option('--last', 'continue the newest session').conflicts('session'));
}
