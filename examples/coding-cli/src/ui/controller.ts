import type { Op } from '../protocol/submissions.js';
import { bannerRows } from './block-rows.js';
import { Choices } from './completion/choices.js';
import { Menu } from './completion/menu.js';
import { COMMAND_HELP } from './slash-commands.js';
import { type DialogMode, type DialogView, hasRoom, questionRows } from './dialog-rows.js';
import { InputHistory } from './input-history.js';
import type { Key } from './keys.js';
import { EMPTY_LINE, type Line } from './line-editor.js';
import type { Engine } from '../engine/engine.js';
import type { InteractiveOptions, SessionChange } from './options.js';
import { Pastes } from './pastes.js';
import type { Row } from './rows.js';
import { PLAN_TOOL, ScreenModel } from './screen-model.js';
import { replay } from './replay.js';

const FRAME_MS = 33;
const TICK_MS = 100;
/** Whoever types is in the middle of a word for so long: no key of it answers a question. */
const TYPING_MS = 700;
const TWICE_MS = 2000;
const LEAVE_HINT = 'Ctrl-C again to leave';

export interface ControllerOptions extends InteractiveOptions {
  readonly size: () => { readonly columns: number; readonly height: number };
  readonly onLeave: (exitCode: number) => void;
  /** Puts a text into the clipboard of the terminal. */
  readonly copy: (text: string) => void;
}

/** What the screen is made of, and what the person does to it. Knows neither ink nor the terminal. */
export class Controller {
  readonly model = new ScreenModel();
  readonly history = new InputHistory();
  readonly pastes = new Pastes();
  /** What the line may become. */
  readonly menu = new Menu();
  readonly choices: Choices;
  line: Line = EMPTY_LINE;
  dialog: DialogMode = { type: 'choose' };
  hint: string | undefined;
  engine: Engine;
  /** What is finished, by its place; once it is printed only the place is kept. */
  blocks: readonly (readonly Row[] | undefined)[] = [];
  readonly #options: ControllerOptions;
  readonly #listeners = new Set<() => void>();
  #version = 0;
  #submissions = 0;
  #typedAt = 0;
  #stopPressedAt = 0;
  /** The question that is printed above the dialog, which has no room for all of it. */
  #printed: string | undefined;
  #answer = { key: '', at: 0 };
  /** The question that is on the terminal, with what is printed above it. */
  #drawn: string | undefined;
  #frame: NodeJS.Timeout | undefined;
  #tick: NodeJS.Timeout | undefined;
  #hintTimer: NodeJS.Timeout | undefined;
  /** The screen is being closed: only what is finished stays. */
  isLeaving = false;
  #isChanging = false;

  constructor(options: ControllerOptions) {
    this.#options = options;
    this.engine = options.session.engine;
    this.choices = new Choices({
      engine: () => this.engine,
      commands: COMMAND_HELP,
      sessions: () => options.sessions(),
      onLoaded: () => this.refresh(),
    });
    this.resized();
  }

  /** Shows the session and reads its events until it ends. */
  start(prompt?: string): void {
    this.#begin(true);
    if (prompt !== undefined && prompt.trim() !== '') this.say(prompt);
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly version = (): number => this.#version;

  resized(): void {
    this.model.columns = this.#options.size().columns;
    this.refresh();
  }

  /** At once: for keys. */
  refresh(): void {
    clearTimeout(this.#frame);
    this.#frame = undefined;
    this.#printQuestion();
    this.menu.show(this.view === undefined ? this.choices.of(this.line) : [], this.line);
    const finished = this.model.takeBlocks();
    if (finished.length > 0) this.blocks = [...this.blocks, ...finished];
    this.#version += 1;
    for (const listener of this.#listeners) listener();
  }

  /** So many blocks are on the terminal. */
  readonly printed = (count: number): void => {
    if (this.blocks[count - 1] === undefined) return;
    this.blocks = this.blocks.map((rows, index) => (index < count ? undefined : rows));
  };

  /** The frame is on the terminal: from now on its question can be answered. */
  readonly drawn = (callId: string | undefined): void => {
    this.#drawn = callId;
  };

  /**
   * Whether a key is the last answer once more: it was held, or pressed twice. The next question stands there by now, and
   * nobody has read it.
   */
  isRepeated({ text }: Key): boolean {
    if (text === '' || text !== this.#answer.key || Date.now() - this.#answer.at > TYPING_MS) return false;
    this.#answer.at = Date.now();
    return true;
  }

  /** Whether a key is an answer to this question: all of it was drawn, and nobody is in the middle of a word. */
  canAnswer(view: DialogView): boolean {
    const { call_id: id } = view.question;
    return view.isReady && this.#drawn === id && (this.#printed === id || hasRoom(view));
  }

  submit(op: Op): string {
    this.#submissions += 1;
    const id = `u${this.#submissions}`;
    this.engine.submit({ id, op });
    return id;
  }

  say(text: string): void {
    this.history.add(text);
    this.model.waiting.set(this.submit({ type: 'user_input', text }), text);
  }

  /** The question that waits for an answer. */
  get view(): DialogView | undefined {
    const [question, ...others] = this.model.questions;
    if (question === undefined) return undefined;
    const { columns, height } = this.#options.size();
    const isReady = Date.now() - Math.max(this.#typedAt, this.#answer.at) > TYPING_MS;
    return {
      question,
      mode: this.dialog,
      columns,
      limit: Math.max(4, Math.min(14, height - 3)),
      waiting: others.length,
      isReady,
    };
  }

  /** `key`: what was pressed for it. */
  answered(key: Key): void {
    this.#answer = { key: key.text, at: Date.now() };
  }

  answer(decision: 'approved' | 'approved_for_session' | 'approved_always' | 'denied' | 'abort', reason = ''): void {
    const [question] = this.model.questions;
    if (question === undefined) return;
    this.model.questions.shift();
    this.dialog = { type: 'choose' };
    const answer = { call_id: question.call_id, ...(reason !== '' && { reason }) };
    if (question.source !== 'local' || question.tool_name !== PLAN_TOOL) {
      this.submit({ type: 'exec_approval', decision, ...answer });
      return;
    }
    const ofPlan = decision === 'denied' ? 'rejected' : decision === 'abort' ? 'abort' : 'approved';
    this.submit({ type: 'plan_approval', decision: ofPlan, ...answer });
  }

  typed(key: Key): void {
    if (key.text !== '') this.#typedAt = Date.now();
  }

  stoppedTyping(): void {
    this.#typedAt = 0;
  }

  interrupt(): void {
    if (this.model.busySince !== undefined || this.model.waiting.size > 0) this.submit({ type: 'interrupt' });
  }

  /** Ctrl-C: interrupts, or empties the line; twice in two seconds leaves. */
  stopOrLeave(): void {
    const now = Date.now();
    if (now - this.#stopPressedAt < TWICE_MS) {
      this.leave(0);
      return;
    }
    this.#stopPressedAt = now;
    this.interrupt();
    this.line = EMPTY_LINE;
    this.dialog = { type: 'choose' };
    this.showHint(LEAVE_HINT);
  }

  /** Any other key behind Ctrl-C: the next one does not leave. */
  disarm(): void {
    this.#stopPressedAt = 0;
    if (this.hint === LEAVE_HINT) this.hint = undefined;
  }

  /** Prints the newest output that is not shown in full. */
  async unfold(): Promise<void> {
    const folded = this.model.takeFolded();
    if (folded === undefined) {
      this.showHint('All outputs are shown in full');
      return;
    }
    const { callId, title, text } = folded;
    this.model.printOpened(title, (await this.engine.view.wholeOutput(callId)) ?? text);
    this.refresh();
  }

  readonly copy = (text: string): void => this.#options.copy(text);

  /** Another session in the place of this one. */
  async change(change: SessionChange): Promise<void> {
    this.#isChanging = true;
    this.hint = 'closing the session …';
    this.refresh();
    try {
      await this.engine.close();
      ({ engine: this.engine } = await this.#options.openAnother(change));
    } catch (error) {
      this.model.notice('error', error instanceof Error ? error.message : String(error));
      this.leave(1);
      return;
    }
    this.#isChanging = false;
    this.hint = undefined;
    this.model.reset();
    this.choices.forget();
    this.#begin(change.resume !== undefined);
  }

  leave(exitCode: number): void {
    if (this.isLeaving) return;
    this.isLeaving = true;
    clearTimeout(this.#hintTimer);
    clearInterval(this.#tick);
    this.model.settle();
    this.refresh();
    this.#options.onLeave(exitCode);
  }

  /** What was said before is on the screen already, if this is not the first. */
  #begin(isFirst: boolean): void {
    const { session: facts, view } = this.engine;
    this.model.facts = facts;
    this.model.outputOf = (callId) => view.output(callId);
    this.model.print('banner', bannerRows(facts, this.model.columns));
    if (isFirst) replay(view.history, this.model);
    for (const { type, data } of view.history) if (type === 'user_message') this.history.add(data.text);
    void this.#read();
    this.refresh();
  }

  async #read(): Promise<void> {
    for await (const event of this.engine.events) {
      if (this.isLeaving) continue;
      this.model.handle(event);
      this.#schedule();
    }
    // The engine has ended on its own: nothing can be said any more.
    if (!this.#isChanging) this.leave(1);
  }

  /** What the dialog has no room for is printed whole, whenever that is found: sizes change. */
  #printQuestion(): void {
    const { view } = this;
    if (view === undefined || this.#printed === view.question.call_id || hasRoom(view)) return;
    this.#printed = view.question.call_id;
    this.model.print('tool', questionRows(view.question, this.model.columns, [{ text: '? ', color: 'yellow' }]));
  }

  /** In place of the status, for two seconds. */
  showHint(text: string): void {
    clearTimeout(this.#hintTimer);
    this.hint = text;
    this.#hintTimer = setTimeout(() => {
      this.hint = undefined;
      this.refresh();
    }, TWICE_MS);
    this.#hintTimer.unref();
  }

  /** Events come faster than anybody reads: one frame for many. */
  #schedule(): void {
    this.#frame ??= setTimeout(() => this.refresh(), FRAME_MS);
    if (this.model.busySince !== undefined) {
      this.#tick ??= setInterval(() => this.refresh(), TICK_MS);
    } else {
      clearInterval(this.#tick);
      this.#tick = undefined;
    }
  }
}
