import { spawn, type ChildProcess, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import type { Socket } from 'node:net';
import type { Stream } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { deserializeMessage, serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { ResponsesLoopError } from '../../errors/responses-loop-error.js';
import { defined } from '../../util/defined.js';
import { keepEnds } from '../../util/excerpt.js';
import { asRecord } from '../../util/guards.js';
import { parseJson } from '../../util/json.js';
import type { McpStdioConfig } from './server-config.js';
import type { OpenStdio } from './stdio-contract.js';
import { inheritedVariables } from './stdio-environment.js';

/** How long a server has to end after its input ended, and once more after SIGTERM. */
const GRACE_MS = 2_000;
/** What a process that ended still has in its pipes is read for this long; longer, somebody else holds them open. */
const DRAIN_MS = 500;
const POLL_MS = 10;
/** Of each end of what a process writes; more than is shown, so that no secret is cut before it is taken out. */
const KEPT_CHARS = 8_000;
/** JSON-RPC. */
const INTERNAL_ERROR = -32_603;
const MAX_LINE_CHARS = 32 * 1024 * 1024;

/**
 * Prepares a child process. Its environment holds the SDK's few harmless inherited variables, paths of certificates, and what the
 * settings add, never this process's keys; its stderr is read (a full pipe would block it) but never printed.
 */
export const openStdio: OpenStdio = (config) =>
  process.platform === 'win32' ? openOnWindows(config) : openInGroup(config);

const openInGroup: OpenStdio = async (config) => {
  const env = { ...getDefaultEnvironment(), ...inheritedVariables(), ...config.env };
  const transport = new GroupTransport({ ...config, env });
  return {
    transport,
    pid: () => transport.pid,
    endedBy: () => transport.endedBy,
    stderrEnds: transport.written.read,
  };
};

/**
 * A server as the leader of a process group of its own, so that closing also reaches what it started: `npx`, a shell or a
 * script stands between us and most servers, and only the group outlives it. The SDK's own transport signals the first
 * process alone.
 */
class GroupTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** Why it was ended, where that is more than that it ended. */
  endedBy: Error | undefined;
  /** What helps if it never gets ready. */
  readonly written = keepEnds(KEPT_CHARS);
  readonly #config: McpStdioConfig;
  #line = '';
  #hasAnswered = false;
  #child: ChildProcessWithoutNullStreams | undefined;
  #guard: ChildProcess | undefined;
  #closing: Promise<void> | undefined;

  constructor(config: McpStdioConfig) {
    this.#config = config;
  }

  get pid(): number | undefined {
    return this.#child !== undefined && isRunning(this.#child) ? this.#child.pid : undefined;
  }

  async start(): Promise<void> {
    if (this.#child !== undefined || this.#closing !== undefined) throw new Error('Started or closed before');
    const { command, args = [], cwd, env } = this.#config;
    const child = spawn(command, args, { ...defined({ cwd, env }), detached: true });
    this.#child = child;
    this.#listen(child);
    try {
      await once(child, 'spawn');
    } catch (error) {
      throw await explainSpawnError(error, cwd);
    }
    if (child.pid !== undefined) this.#guard = startGuard(child.pid);
  }

  /**
   * Rejects if the server did not get the whole message; then it cannot have acted on it. Before its first answer that is left
   * to the end of the process, which comes with what it wrote.
   */
  async send(message: JSONRPCMessage): Promise<void> {
    const child = this.#child;
    if (child === undefined || this.#closing !== undefined) throw new Error('Not connected');
    const line = serializeMessage(message);
    await new Promise<void>((resolve, reject) => {
      child.stdin.write(line, (error) => {
        if (error && this.#hasAnswered) reject(new Error('Not connected'));
        else resolve();
      });
    });
  }

  /** Ends the server and everything it started; later calls wait for the same end. */
  close(): Promise<void> {
    return (this.#closing ??= Promise.resolve().then(() => this.#end()));
  }

  #listen(child: ChildProcessWithoutNullStreams): void {
    const report = (error: Error): void => this.onerror?.(error);
    for (const emitter of [child, child.stdin, child.stdout, child.stderr]) emitter.on('error', report);
    onText(child.stderr, this.written.add);
    onText(child.stdout, (text) => this.#read(text));
    const ended = (): void => void this.close();
    child.once('close', ended);
    // A server is over when its process is, even if something it started keeps the pipes open.
    child.once('exit', () => {
      const timer = setTimeout(ended, DRAIN_MS);
      child.once('close', () => clearTimeout(timer));
    });
  }

  #read(text: string): void {
    if (this.#closing !== undefined) return;
    this.#line += text;
    if (text.includes('\n')) {
      const lines = this.#line.split('\n');
      this.#line = lines.pop() ?? '';
      for (const line of lines) this.#readLine(line);
    } else if (this.#line.length > MAX_LINE_CHARS) {
      this.#line = '';
      const most = MAX_LINE_CHARS.toLocaleString('en-US');
      this.endedBy = new ResponsesLoopError({
        code: 'limit',
        message: `The MCP server sent a message longer than ${most} characters, and was ended.`,
      });
      this.onerror?.(this.endedBy);
      void this.close();
    }
  }

  /** Servers that log to stdout are read on; what they wrote helps if they never get ready. */
  #readLine(line: string): void {
    if (line.trim() === '') return;
    let message: JSONRPCMessage;
    try {
      message = deserializeMessage(line);
    } catch {
      this.written.add(`${line}\n`);
      this.onerror?.(new Error('A line on stdout is no message'));
      const failed = brokenAnswer(line);
      if (failed !== undefined) this.onmessage?.(failed);
      return;
    }
    this.#hasAnswered = true;
    this.onmessage?.(message);
  }

  async #end(): Promise<void> {
    this.onclose?.();
    const child = this.#child;
    if (child === undefined) return;
    child.stdin.end();
    if (!(await hasEnded(child))) {
      signalGroup(child, 'SIGTERM');
      if (!(await hasEnded(child))) {
        signalGroup(child, 'SIGKILL');
        await hasEnded(child);
      }
    }
    // A process that left the group may still hold the other ends.
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
    await stop(this.#guard);
  }
}

/** Not `setEncoding`, which keeps a byte order mark. */
function onText(stream: Stream | null, take: (text: string) => void): void {
  const decoder = new TextDecoder();
  stream?.on('data', (chunk: Uint8Array) => take(decoder.decode(chunk, { stream: true })));
}

/**
 * A group of its own gets no Ctrl-C from the terminal, and no code is left to close it when this process is killed. So a shell
 * waits for our end of its pipe to break, and then ends the group as `close()` would. Handlers for `exit` and signals would
 * miss SIGKILL, and a library's signal handlers change how a program dies.
 */
function startGuard(pid: number): ChildProcess {
  const wait = `sleep ${GRACE_MS / 1_000}`;
  const script = `read -r _; ${wait}; kill -TERM "-$1" && ${wait} && kill -KILL "-$1"`;
  const guard = spawn('/bin/sh', ['-c', script, 'responses-loop-guard', String(pid)], {
    cwd: '/',
    env: { PATH: '/usr/bin:/bin' },
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // Without a shell servers still notice that their input ended.
  guard.on('error', () => {});
  guard.stdin.on('error', () => {});
  guard.unref();
  // The pipe of a child process is a socket.
  (guard.stdin as Partial<Socket>).unref?.();
  return guard;
}

async function stop(guard: ChildProcess | undefined): Promise<void> {
  if (guard === undefined || !isRunning(guard)) return;
  const exit = once(guard, 'exit');
  guard.ref();
  guard.kill('SIGKILL');
  await exit;
}

function isRunning(child: ChildProcess): boolean {
  return child.pid !== undefined && child.exitCode === null && child.signalCode === null;
}

/** Whether the process and its group end within the grace. */
async function hasEnded(child: ChildProcess): Promise<boolean> {
  for (const deadline = performance.now() + GRACE_MS; performance.now() < deadline; await sleep(POLL_MS)) {
    if (!isRunning(child) && !signalGroup(child, 0)) return true;
  }
  return false;
}

/** False if the group has no process left. */
function signalGroup(child: ChildProcess, signal: NodeJS.Signals | 0): boolean {
  if (child.pid === undefined) return false;
  try {
    return process.kill(-child.pid, signal);
  } catch {
    // A runtime that knows no groups left it in ours.
    return isRunning(child) && child.kill(signal);
  }
}

/** Node says the same for a missing program and a missing working directory. */
async function explainSpawnError(cause: unknown, cwd: string | undefined): Promise<unknown> {
  if (cwd === undefined) return cause;
  const isDirectory = await stat(cwd).then(
    (found) => found.isDirectory(),
    () => false,
  );
  return isDirectory ? cause : new Error(`the working directory "${cwd}" does not exist`, { cause });
}

/**
 * Windows has no groups: the SDK's transport starts the process (it knows how to run `npx.cmd`), and `taskkill` ends the tree
 * before the SDK ends the first process alone and the tree cannot be found any more.
 */
const openOnWindows: OpenStdio = async (config) => {
  const { command, args = [], env, cwd } = config;
  const transport = new StdioClientTransport({
    command,
    args: [...args],
    env: { ...inheritedVariables(), ...env },
    stderr: 'pipe',
    ...defined({ cwd }),
  });
  const written = keepEnds(KEPT_CHARS);
  onText(transport.stderr, written.add);
  const closeFirst = transport.close.bind(transport);
  let closing: Promise<void> | undefined;
  transport.close = () => (closing ??= endTree(transport.pid, closeFirst));
  return { transport, pid: () => transport.pid ?? undefined, stderrEnds: written.read };
};

async function endTree(pid: number | null, closeFirst: () => Promise<void>): Promise<void> {
  const timer = setTimeout(killTree, GRACE_MS * 0.75, pid);
  await closeFirst();
  clearTimeout(timer);
}

function killTree(pid: number | null): void {
  if (pid === null) return;
  const taskkill = spawn('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true });
  // Without it the SDK still ends the first process.
  taskkill.on('error', () => {});
}

/** An error for the request that a broken line answers, so that it fails at once; `undefined` if the line answers none. */
function brokenAnswer(line: string): JSONRPCMessage | undefined {
  const { id, method } = asRecord(parseJson(line)) ?? {};
  if ((typeof id !== 'number' && typeof id !== 'string') || method !== undefined) return undefined;
  const message = 'The server answered with something that is no MCP message.';
  return { jsonrpc: '2.0', id, error: { code: INTERNAL_ERROR, message } };
}
