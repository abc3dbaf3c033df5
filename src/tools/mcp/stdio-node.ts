import { clean, ownWords } from '../../core/clean-text.js';
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

/** Grace for a server after its input ended, and again after SIGTERM. */
const GRACE_MS = 2_000;
/** How long the pipes of an ended process are read; after that, another process keeps them open. */
const DRAIN_MS = 500;
const POLL_MS = 10;
/** Characters kept of each end of stderr; more than is shown, so that no secret is cut before its removal. */
const KEPT_CHARS = 8_000;
/** The JSON-RPC code of an internal error. */
const INTERNAL_ERROR = -32_603;
const MAX_LINE_CHARS = 32 * 1024 * 1024;

/**
 * Prepares a child process. Its environment has the SDK's few harmless inherited variables, paths of certificates, and
 * the settings' variables, never this process's keys. Its stderr is read, because a full pipe would block it, and never
 * printed.
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
 * Runs a server as the leader of its own process group, so that closing also ends its children. `npx`, a shell or a
 * script starts most servers, and the SDK's own transport signals only that first process.
 */
class GroupTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** Why the process was ended, if more is known than its end. */
  endedBy: Error | undefined;
  /** The output of the process, for the error if it never gets ready. */
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
   * Rejects if the server did not get the whole message; it cannot have acted on it then. Before the first answer, the
   * end of the process reports the failure, together with its output.
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

  /** Ends the server and all its children; later calls wait for the same end. */
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
    // A server has ended when its process has, even if a child keeps the pipes open.
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
        message: clean`The MCP server sent a message longer than ${ownWords(most)} characters, and was stopped.`,
      });
      this.onerror?.(this.endedBy);
      void this.close();
    }
  }

  /** Lines that are no JSON are logs of the server; they help if it never gets ready. */
  #readLine(line: string): void {
    if (line.trim() === '') return;
    let message: JSONRPCMessage;
    try {
      message = deserializeMessage(line);
    } catch {
      this.written.add(`${line}\n`);
      this.onerror?.(new Error('A line on stdout is not a message'));
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
    // A process that left the group may keep the other ends open.
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
    await stop(this.#guard);
  }
}

/** `setEncoding` would keep a byte order mark. */
function onText(stream: Stream | null, take: (text: string) => void): void {
  const decoder = new TextDecoder();
  stream?.on('data', (chunk: Uint8Array) => take(decoder.decode(chunk, { stream: true })));
}

/**
 * A process group gets no Ctrl-C from the terminal, and nothing closes it if this process is killed. So a shell waits
 * until our end of its pipe breaks, and then ends the group as `close()` does. Handlers for `exit` and signals miss
 * SIGKILL, and signal handlers of a library change how a program ends.
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
  // Without a shell, servers still notice the end of their input.
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

/** Returns whether the process and its group end within the grace. */
async function hasEnded(child: ChildProcess): Promise<boolean> {
  for (const deadline = performance.now() + GRACE_MS; performance.now() < deadline; await sleep(POLL_MS)) {
    if (!isRunning(child) && !signalGroup(child, 0)) return true;
  }
  return false;
}

/** Returns false if the group has no process. */
function signalGroup(child: ChildProcess, signal: NodeJS.Signals | 0): boolean {
  if (child.pid === undefined) return false;
  try {
    return process.kill(-child.pid, signal);
  } catch {
    // A runtime without groups started it in ours.
    return isRunning(child) && child.kill(signal);
  }
}

/** Node reports a missing program and a missing working directory with the same error. */
async function explainSpawnError(cause: unknown, cwd: string | undefined): Promise<unknown> {
  if (cwd === undefined) return cause;
  const isDirectory = await stat(cwd).then(
    (found) => found.isDirectory(),
    () => false,
  );
  return isDirectory ? cause : new Error(`the working directory "${cwd}" does not exist`, { cause });
}

/**
 * Windows has no groups. The SDK's transport starts the process, because it can run `npx.cmd`. `taskkill` ends the tree
 * before the SDK ends its first process.
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
  // Without `taskkill`, the SDK still ends the first process.
  taskkill.on('error', () => {});
}

/** Returns an error for the request that a broken line answers, so that it fails at once; else `undefined`. */
function brokenAnswer(line: string): JSONRPCMessage | undefined {
  const { id, method } = asRecord(parseJson(line)) ?? {};
  if ((typeof id !== 'number' && typeof id !== 'string') || method !== undefined) return undefined;
  const message = 'The answer of the server is not an MCP message.';
  return { jsonrpc: '2.0', id, error: { code: INTERNAL_ERROR, message } };
}
