import { Command, InvalidArgumentError, Option } from 'commander';
import { helpExamples, helpHint } from 'responses-loop-example-shared/help-text.js';
import { refuseFlagsAsValues } from 'responses-loop-example-shared/flag-values.js';
import { withModelFlags } from 'responses-loop-example-shared/model-flags.js';
import type { ModelFlags } from 'responses-loop-example-shared/open-model.js';
import { packageVersion } from 'responses-loop-example-shared/package-version.js';
import { ISOLATION, type Isolation } from 'responses-loop-example-shared/sandbox.js';
import type { ComposeOptions } from '../compose.js';
import type { RunTools } from '../tools/mcp-tools.js';

/** As given on the command line. */
export interface ChatOptions extends ModelFlags {
  readonly workspace: string;
  readonly data?: string;
  /** The address of a database of Postgres. */
  readonly database?: string;
  /** Several servers share the database. */
  readonly engine?: 'dbos';
  /** Where other servers reach this one. */
  readonly address?: string;
  readonly port: number;
  readonly host: string;
  readonly allowHost: readonly string[];
  /** Seconds. */
  readonly grace: number;
  readonly approvalTimeout?: number;
  readonly open: boolean;
  readonly runTools: RunTools;
  /** The path of a file of models. */
  readonly models?: string;
  readonly sandbox: Isolation;
  readonly sandboxNetwork?: boolean;
}

const DAY_SECONDS = 86_400;

/** What only a program that starts this one can set: no flag and no variable does. */
export type CodeOptions = Pick<ComposeOptions, 'browserRules'>;

export async function runProgram(args: readonly string[], code: CodeOptions = {}): Promise<void> {
  const program = new Command('chat-server')
    .description('Chat with a model that works in a folder. It asks before it acts, and every chat is kept.')
    .exitOverride()
    .version(`chat-server ${packageVersion()}`, '--version', 'print the version')
    .showHelpAfterError(helpHint('chat-server'))
    .option('-w, --workspace <dir>', 'the folder to work in', '.')
    .option(
      '--data <dir>',
      'folder for chats, outside the workspace (default: one per workspace in ~/.local/state/chat-server)',
    )
    .addOption(
      new Option(
        '--database <address>',
        'keep chats in Postgres, not in files: postgres://user@host:5432/name, one database for each workspace',
      ).env('CHAT_DATABASE'),
    )
    .addOption(
      new Option(
        '--engine <name>',
        'share the database with other instances, which continue the turns of one that ends; needs CHAT_TOKEN',
      ).choices(['dbos']),
    )
    .option(
      '--address <url>',
      'where other instances reach this one (default: where it listens); needs --engine',
      addressOfInstance,
    )
    .option('--port <n>', 'port to listen on; 0 picks a free one', wholeNumber(0, 65_535), 4300)
    .option('--host <address>', 'address to listen on; anything but loopback needs CHAT_TOKEN', '127.0.0.1')
    .option('--allow-host <name>', 'accept requests for this host name too; may be repeated', collect, [])
    .option(
      '--grace <seconds>',
      'keep a turn running this long after the page is closed',
      wholeNumber(0, DAY_SECONDS),
      60,
    )
    .option(
      '--approval-timeout <seconds>',
      'how long sub-agents (default: until you answer) and MCP servers (default: 300) wait for your answer',
      wholeNumber(1, DAY_SECONDS),
    )
    .addOption(
      new Option(
        '--sandbox <when>',
        'run commands in bubblewrap: they can write only in the workspace and cannot see your home folder',
      )
        .choices(ISOLATION)
        .default('off'),
    )
    .option('--sandbox-network', 'let commands in the sandbox use the network')
    .option('--models <file>', 'add providers and models to choose from: {"providers": {…}}')
    .option('--no-open', 'do not open the page in a browser');
  withModelFlags(program)
    .addOption(
      new Option('--run-tools <who>', 'who runs MCP tools: the provider within one step, or the AI SDK')
        .choices(['model', 'sdk'])
        .default('model'),
    )
    .addHelpText(
      'after',
      '\nThe printed link signs you in: it carries a token after "#". Set CHAT_TOKEN to choose your own.',
    )
    .addHelpText('after', helpExamples('chat-server', 'chat-server -w ~/project --base-url http://localhost:8080/v1'))
    .action(async (options: ChatOptions) => (await import('./serve.js')).serve(options, code));
  await refuseFlagsAsValues(program).parseAsync([...args], { from: 'user' });
}

function collect(name: string, names: readonly string[]): string[] {
  if (!/^[\w.:[\]-]+$/.test(name)) throw new InvalidArgumentError('Expected a host name.');
  return [...names, name];
}

/** As other instances call it. Nothing of it is a secret, and nothing stands behind the port. */
function addressOfInstance(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`) return url.origin;
  throw new InvalidArgumentError('Expected http://host:port or https://host:port, without a path.');
}

/** A whole number, as commander reads it. */
function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= least && value <= most) return value;
    throw new InvalidArgumentError(`Expected a whole number from ${least} to ${most}.`);
  };
}
