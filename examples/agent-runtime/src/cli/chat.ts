import { stdin, stderr } from 'node:process';
import { createInterface, type Interface } from 'node:readline';
import { AgentError } from '../core/agent-error.js';
import type { Agent, Session } from '../types/index.js';
import { type ChatState, runChatCommand } from './chat-commands.js';
import { EXIT, type ExitCode, exitCodeOf } from './exit-codes.js';
import { chosenSession } from './find-session.js';
import { openAgent } from './open-agent.js';
import type { GlobalOptions, SessionChoice } from './options.js';
import { settleApprovals } from './questions.js';
import { showTurn } from './render.js';
import { say } from './say.js';

const AGAIN_MS = 2_000;

/** Line by line, until the input ends. */
export async function chat(options: GlobalOptions & SessionChoice): Promise<ExitCode> {
  const { agent, model, close } = await openAgent(options);
  try {
    const session = await chosenSession(agent, options);
    if (session !== undefined) say(`agent: session ${session.id}, ${session.getMessages().length} messages`);
    return await new Chat(agent, model, session).run();
  } finally {
    await close();
  }
}

class Chat implements ChatState {
  readonly #agent: Agent;
  model: string | undefined;
  readonly #lines: Interface;
  #session: Session | undefined;
  #isAnswering = false;
  #interruptedAt = 0;
  #exitCode: ExitCode = EXIT.done;
  /** Of what went wrong first, if the input is no terminal. */
  #failure: ExitCode = EXIT.done;

  constructor(agent: Agent, model: string | undefined, session: Session | undefined) {
    this.#agent = agent;
    this.model = model;
    this.#session = session;
    this.#lines = createInterface({
      input: stdin,
      output: stderr,
      terminal: stdin.isTTY,
      prompt: stdin.isTTY ? '> ' : '',
    });
  }

  get session(): Session | undefined {
    return this.#session;
  }

  forget(): void {
    this.#session = undefined;
  }

  async run(): Promise<ExitCode> {
    const interrupt = (): void => this.#interrupt();
    // In a terminal it is read as a key; from elsewhere it is a signal.
    this.#lines.on('SIGINT', interrupt);
    process.on('SIGINT', interrupt);
    const leave = (): void => this.#leave();
    process.on('SIGTERM', leave);
    process.on('SIGHUP', leave);
    say('agent: /help lists the commands, /exit or Ctrl-D leaves, Ctrl-C interrupts an answer');
    try {
      this.#lines.prompt();
      for await (const line of this.#lines) {
        const outcome = await this.#command(line);
        if (outcome === 'leave') break;
        if (outcome === 'none' && line.trim() !== '') await this.#answer(line);
        if (this.#exitCode !== EXIT.done) break;
        this.#lines.prompt();
      }
    } finally {
      this.#lines.close();
      process.off('SIGINT', interrupt);
      process.off('SIGTERM', leave);
      process.off('SIGHUP', leave);
    }
    return this.#exitCode === EXIT.done ? this.#failure : this.#exitCode;
  }

  async fork(turn: number | undefined): Promise<void> {
    if (this.#session === undefined) return;
    this.#session = await this.#agent.forkSession(this.#session.id, { turn });
    say(`agent: session ${this.#session.id} (new), with ${this.#session.getMessages().length} messages`);
  }

  /** What a command could not do is said; the talk goes on. */
  async #command(line: string): Promise<'none' | 'done' | 'leave'> {
    this.#isAnswering = true;
    try {
      return await runChatCommand(line, this);
    } catch (error) {
      if (!(error instanceof AgentError)) throw error;
      say(`agent: ${error.message}`);
      this.#fail(exitCodeOf(error));
      return 'done';
    } finally {
      this.#isAnswering = false;
    }
  }

  /** A person sees what went wrong and goes on; a script reads it from the code at the end. */
  #fail(code: ExitCode): void {
    if (!stdin.isTTY && this.#failure === EXIT.done) this.#failure = code;
  }

  async #answer(content: string): Promise<void> {
    this.#isAnswering = true;
    try {
      this.#session ??= await this.#begin();
      const ended = await showTurn(this.#session.send(content, { model: this.model }));
      this.#fail(await settleApprovals(this.#session, ended, (question) => this.#ask(question)));
    } catch (error) {
      // The next message may do better, unless it can only meet with the same.
      if (!(error instanceof Error) || exitCodeOf(error) !== EXIT.busyOrClosed) throw error;
      say(`agent: ${error.message}`);
      this.#fail(EXIT.busyOrClosed);
    } finally {
      this.#isAnswering = false;
    }
  }

  #ask(question: string): Promise<string> {
    return new Promise((resolve, reject) => {
      this.#lines.once('close', () => reject(new Error('closed')));
      this.#lines.question(question, resolve);
    });
  }

  async #begin(): Promise<Session> {
    const session = await this.#agent.createSession();
    say(`agent: session ${session.id} (new)`);
    return session;
  }

  #interrupt(): void {
    const isAgain = Date.now() - this.#interruptedAt < AGAIN_MS;
    this.#interruptedAt = Date.now();
    if (isAgain) return this.#leave();
    if (this.#isAnswering) this.#stopTurn();
    else {
      say('agent: Ctrl-C again leaves');
      this.#lines.prompt();
    }
  }

  #leave(): void {
    this.#exitCode = EXIT.interrupted;
    this.#stopTurn();
    this.#lines.close();
  }

  #stopTurn(): void {
    // A session that was deleted meanwhile has no turn.
    this.#session?.interrupt().catch(() => {});
  }
}
