import { Command, Option } from 'commander';
import { helpExamples, helpHint } from 'responses-loop-example-shared/help-text.js';
import { withModelFlags } from 'responses-loop-example-shared/model-flags.js';
import { packageVersion } from 'responses-loop-example-shared/package-version.js';
import { EXIT, type ExitCode } from './exit-codes.js';
import { type GlobalOptions, type PageOptions, type SessionChoice, wholeNumber } from './options.js';
import type { AnswerOptions } from './approvals.js';
import type { SendCommandOptions } from './send.js';
import type { ServeOptions } from './serve.js';

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

  withSessionChoice(command('chat', 'talk, line by line', 'agent chat', 'agent chat --last')).action(
    (_own, self: Command) =>
      run(async () => (await import('./chat.js')).chat(self.optsWithGlobals<GlobalOptions & SessionChoice>())),
  );
  withSessionChoice(
    command('send', 'send one message and print the answer', 'agent send "Hello"', 'git diff | agent send - --last'),
  )
    .argument('<text>', 'the message; - reads it from stdin')
    .option('--json', 'print one event per line')
    .option('--schema <file>', 'the JSON schema that the answer has to fit; it is checked')
    .addOption(new Option('--title <text>', 'what a new session is called').conflicts(['session', 'last']))
    .action((text: string, _own, self: Command) =>
      run(async () => (await import('./send.js')).send(text, self.optsWithGlobals<SendCommandOptions>())),
    );
  command('approvals', 'list the calls of a session that wait for a person', 'agent approvals 3f2a')
    .argument('<id>', 'the session, or the first 4 characters or more')
    .option('--json', 'print JSON')
    .action((id: string, _own, self: Command) =>
      run(async () => (await import('./approvals.js')).approvals(id, self.optsWithGlobals<GlobalOptions>())),
    );
  for (const verb of ['approve', 'deny'] as const) {
    const what = verb === 'approve' ? 'run' : 'refuse';
    command(verb, `${what} calls that wait for a person, and go on`, `agent ${verb} 3f2a`)
      .argument('<id>', 'the session, or the first 4 characters or more')
      .argument('[approval...]', 'which calls, by the ids of `agent approvals`; none: all')
      .option('--reason <text>', 'what the model reads of a refusal')
      .option('--json', 'print one event per line')
      .action((id: string, which: readonly string[], _own, self: Command) =>
        run(async () =>
          (await import('./approvals.js')).answer(verb, id, which, self.optsWithGlobals<AnswerOptions>()),
        ),
      );
  }
  command('sessions', 'list the sessions of this workspace, newest first', 'agent sessions --limit 5')
    .option('--limit <n>', 'how many', wholeNumber(0), 10)
    .option('--offset <n>', 'how many to pass over', wholeNumber(0), 0)
    .option('--search <text>', 'only those whose title or messages hold this')
    .option('--json', 'print JSON')
    .action((_own, self: Command) =>
      run(async () => (await import('./sessions.js')).sessions(self.optsWithGlobals<GlobalOptions & PageOptions>())),
    );
  command('show', 'print what was said in a session', 'agent show 3f2a')
    .argument('<id>', 'the session, or the first 4 characters or more')
    .option('--json', 'print JSON')
    .action((id: string, _own, self: Command) =>
      run(async () => (await import('./show.js')).show(id, self.optsWithGlobals<GlobalOptions>())),
    );
  command('delete', 'delete a session and all that was said in it', 'agent delete 3f2a')
    .argument('<id>', 'the session, or the first 4 characters or more')
    .action((id: string, _own, self: Command) =>
      run(async () => (await import('./delete.js')).deleteSession(id, self.optsWithGlobals<GlobalOptions>())),
    );
  command('usage', 'count the tokens of a session, or of all', 'agent usage', 'agent usage 3f2a --json')
    .argument('[id]', 'the session, or the first 4 characters or more')
    .option('--json', 'print JSON')
    .action((id: string | undefined, _own, self: Command) =>
      run(async () => (await import('./usage.js')).usage(id, self.optsWithGlobals<GlobalOptions>())),
    );
  command('serve', 'offer the sessions over HTTP, to this machine', 'agent serve', 'agent serve --port 0')
    .option('--port <n>', 'where to listen; 0: any', wholeNumber(0, 65_535), 4310)
    .option('--host <address>', 'another address than loopback needs AGENT_TOKEN', '127.0.0.1')
    .action((_own, self: Command) =>
      run(async () => (await import('./serve.js')).serve(self.optsWithGlobals<ServeOptions>())),
    );
  return program;
}

function withGlobalOptions(program: Command): Command {
  program
    .option('-w, --workspace <dir>', 'the folder whose sessions are meant', '.')
    .option('--system <text>', 'what the model is to know or to be')
    .addOption(new Option('--driver <name>', 'who answers').choices(['mono', 'echo', 'coder', 'process']))
    .addOption(
      new Option('--approve <mode>', 'calls that are not known to be read-only')
        .choices(['ask', 'all', 'none'])
        .default('ask'),
    )
    .option('--trust <server>', 'an MCP server whose read-only tools run unasked; repeatable', collect, [])
    .option('--max-steps <n>', 'rounds with tools in one turn', wholeNumber(1));
  return withModelFlags(program);
}

function collect(value: string, all: readonly string[]): readonly string[] {
  return [...all, value];
}

function withSessionChoice(command: Command): Command {
  return command
    .option('--session <id>', 'go on with this session, or with the one that begins so')
    .addOption(new Option('--last', 'go on with the newest session').conflicts('session'));
}
