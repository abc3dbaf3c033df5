import { Command, InvalidArgumentError, Option } from 'commander';
import { helpExamples, helpHint } from 'responses-loop-example-shared/help-text.js';
import { withModelFlags } from 'responses-loop-example-shared/model-flags.js';
import type { ModelFlags } from 'responses-loop-example-shared/open-model.js';
import { packageVersion } from 'responses-loop-example-shared/package-version.js';
import { ISOLATION, type Isolation } from 'responses-loop-example-shared/sandbox.js';
import type { RunTools } from '../tools/mcp-tools.js';

/** As given on the command line. */
export interface ChatOptions extends ModelFlags {
  readonly workspace: string;
  readonly data?: string;
  readonly port: number;
  readonly host: string;
  readonly allowHost: readonly string[];
  /** Seconds. */
  readonly grace: number;
  readonly approvalTimeout: number;
  readonly open: boolean;
  readonly runTools: RunTools;
  readonly sandbox: Isolation;
  readonly sandboxNetwork?: boolean;
}

const DAY_SECONDS = 86_400;

export async function runProgram(args: readonly string[]): Promise<void> {
  const program = new Command('chat-server')
    .description('A chat with a model that works in a folder, asks before it acts, and forgets nothing.')
    .exitOverride()
    .version(`chat-server ${packageVersion()}`, '--version', 'print the version')
    .showHelpAfterError(helpHint('chat-server'))
    .option('-w, --workspace <dir>', 'the folder that is worked in', '.')
    .option(
      '--data <dir>',
      'where chats are kept, outside of the workspace (default: a folder for it in ~/.local/state/chat-server)',
    )
    .option('--port <n>', 'where to listen; 0: any', wholeNumber(0, 65_535), 4300)
    .option('--host <address>', 'another address than loopback needs CHAT_TOKEN', '127.0.0.1')
    .option('--allow-host <name>', 'another name this server is reached by; may be repeated', collect, [])
    .option('--grace <seconds>', 'how long a turn runs on when nobody listens', wholeNumber(0, DAY_SECONDS), 60)
    .option('--approval-timeout <seconds>', 'how long sub-agents wait for an answer', wholeNumber(1, DAY_SECONDS), 300)
    .addOption(
      new Option('--sandbox <when>', 'run commands in bubblewrap: only the workspace can be written, home is hidden')
        .choices(ISOLATION)
        .default('off'),
    )
    .option('--sandbox-network', 'commands in the sandbox reach the network')
    .option('--no-open', 'do not open the page in a browser');
  withModelFlags(program)
    .addOption(
      new Option('--run-tools <who>', 'who runs tools of MCP servers: the provider in one step, or the AI SDK')
        .choices(['model', 'sdk'])
        .default('model'),
    )
    .addHelpText('after', '\nThe address it prints holds a token behind "#"; CHAT_TOKEN sets another one.')
    .addHelpText('after', helpExamples('chat-server', 'chat-server -w ~/project --base-url http://localhost:8080/v1'))
    .action(async (options: ChatOptions) => (await import('./serve.js')).serve(options));
  await program.parseAsync([...args], { from: 'user' });
}

function collect(name: string, names: readonly string[]): string[] {
  if (!/^[\w.:[\]-]+$/.test(name)) throw new InvalidArgumentError('It has to be the name of a host.');
  return [...names, name];
}

/** A whole number, as commander reads it. */
function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= least && value <= most) return value;
    throw new InvalidArgumentError(`It has to be a whole number from ${least} to ${most}.`);
  };
}
