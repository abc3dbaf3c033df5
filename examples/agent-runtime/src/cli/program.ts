import { Command, Option } from 'commander';
import { EXIT, type ExitCode } from './exit-codes.js';
import { type GlobalOptions, type PageOptions, type SessionChoice, wholeNumber } from './options.js';
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
      .description('Talks to a model with tools, and never forgets.')
      .exitOverride()
      .showHelpAfterError('agent --help says what there is.'),
  );
  const command = (written: string, description: string): Command =>
    program.command(written).description(description).exitOverride();

  withSessionChoice(command('chat', 'talk, line by line')).action((_own, self: Command) =>
    run(async () => (await import('./chat.js')).chat(self.optsWithGlobals<GlobalOptions & SessionChoice>())),
  );
  withSessionChoice(command('send', 'send one message and print the answer'))
    .argument('<text>', 'the message; - reads it from stdin')
    .option('--json', 'print one event per line')
    .addOption(new Option('--title <text>', 'what a new session is called').conflicts(['session', 'last']))
    .action((text: string, _own, self: Command) =>
      run(async () => (await import('./send.js')).send(text, self.optsWithGlobals<SendCommandOptions>())),
    );
  command('sessions', 'list the sessions of this workspace, newest first')
    .option('--limit <n>', 'how many', wholeNumber(0), 10)
    .option('--offset <n>', 'how many to pass over', wholeNumber(0), 0)
    .option('--json', 'print JSON')
    .action((_own, self: Command) =>
      run(async () => (await import('./sessions.js')).sessions(self.optsWithGlobals<GlobalOptions & PageOptions>())),
    );
  command('show', 'print what was said in a session')
    .argument('<id>', 'the session, or the first 4 characters or more')
    .option('--json', 'print JSON')
    .action((id: string, _own, self: Command) =>
      run(async () => (await import('./show.js')).show(id, self.optsWithGlobals<GlobalOptions>())),
    );
  command('delete', 'delete a session and all that was said in it')
    .argument('<id>', 'the session, or the first 4 characters or more')
    .action((id: string, _own, self: Command) =>
      run(async () => (await import('./delete.js')).deleteSession(id, self.optsWithGlobals<GlobalOptions>())),
    );
  command('usage', 'count the tokens of a session, or of all')
    .argument('[id]', 'the session, or the first 4 characters or more')
    .option('--json', 'print JSON')
    .action((id: string | undefined, _own, self: Command) =>
      run(async () => (await import('./usage.js')).usage(id, self.optsWithGlobals<GlobalOptions>())),
    );
  command('serve', 'offer the sessions over HTTP, to this machine')
    .option('--port <n>', 'where to listen; 0: any', wholeNumber(0, 65_535), 4310)
    .option('--host <address>', 'another address than loopback needs AGENT_TOKEN', '127.0.0.1')
    .action((_own, self: Command) =>
      run(async () => (await import('./serve.js')).serve(self.optsWithGlobals<ServeOptions>())),
    );
  return program;
}

function withGlobalOptions(program: Command): Command {
  return program
    .option('-w, --workspace <dir>', 'the folder whose sessions are meant', '.')
    .option('--system <text>', 'what the model is to know or to be')
    .addOption(new Option('--driver <name>', 'who answers').choices(['mono', 'echo']))
    .option('--max-steps <n>', 'rounds with tools in one turn', wholeNumber(1))
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
    .option('--session <id>', 'go on with this session, or with the one that begins so')
    .addOption(new Option('--last', 'go on with the newest session').conflicts('session'));
}
