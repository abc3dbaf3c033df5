import type { Op } from '../protocol/submissions.js';
import { AnswerGuard } from './answer-guard.js';
import { bannerRows } from './block-rows.js';
import { Choices } from './completion/choices.js';
import { type Choice, Menu } from './completion/menu.js';
import { searchChoices } from './completion/search.js';
import { COMMAND_HELP } from './slash-commands.js';
import { notification } from './notify.js';
import { type DialogMode, type DialogView, questionRows } from './dialog-rows.js';
import type { FormState } from './form/form-state.js';
import { Forms } from './form/forms.js';
import { Frames } from './frames.js';
import { Hint } from './hint.js';
import { Images } from './images.js';
import { InputHistory } from './input-history.js';
import { EMPTY_LINE, type Line, lineOf } from './line-editor.js';
import type { Engine } from '../engine/engine.js';
import type { InteractiveOptions, SessionChange } from './options.js';
import type { Size } from './painter.js';
import { type Brought, broughtBy } from './actions.js';
import { Pastes } from './pastes.js';
import { ScreenModel } from './screen-model.js';
import { planOf } from './shown-calls.js';
import { replay } from './replay.js';
import { Twice } from './twice.js';

/** So many tokens fit into every window. */
const ALWAYS_FITS = 2_000;
const LEAVE_HINT = 'Ctrl-C again to leave';

export interface ControllerOptions extends InteractiveOptions {
  readonly size: () => Size;
  readonly onLeave: (exitCode: number) => void;
  /** Puts a text into the clipboard of the terminal. */
  readonly copy: (text: string) => void;
  /** Writes to the terminal what is not seen. */
  readonly write: (sequence: string) => void;
  /** Lets the person write a text in their editor. */
  readonly edit: (text: string) => Promise<string>;
}

/** What the screen is made of, and what the person does to it. Knows no terminal. */
export class Controller {
  readonly model = new ScreenModel();
  readonly history = new InputHistory();
  readonly pastes = new Pastes();
  readonly images = new Images();
  /** What the line may become. */
  readonly menu = new Menu();
  readonly choices: Choices;
  readonly forms = new Forms();
  line: Line = EMPTY_LINE;
  dialog: DialogMode = { type: 'choose' };
  readonly hint = new Hint(() => this.refresh());
  engine: Engine;
  readonly #options: ControllerOptions;
  readonly #listeners = new Set<() => void>();
  #submissions = 0;
  /** Whether keys answer the question that is shown. */
  readonly answers = new AnswerGuard();
  readonly #stopping = new Twice();
  /** Esc on an empty line. */
  readonly goingBack = new Twice();
  /** The first key of two that belong together. */
  chord: string | undefined;
  /** Another program has the terminal: nothing is drawn. */
  isHeld = false;
  /** What was in the input before a search began. */
  searching: Line | undefined;
  readonly #frames = new Frames(() => this.refresh());
  /** The screen is being closed: only what is finished stays. */
  isLeaving = false;
  #isChanging = false;

  constructor(options: ControllerOptions) {
    this.#options = options;
    this.signIns = options;
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
    if (this.#options.line !== undefined) this.line = lineOf(this.#options.line);
    if (prompt !== undefined && prompt.trim() !== '') this.say(prompt, broughtBy(this, prompt));
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  resized(): void {
    this.model.columns = this.#options.size().columns;
    this.refresh();
  }

  #listed(): readonly Choice[] {
    if (this.searching === undefined) return this.choices.of(this.line);
    const titles = this.choices.sessions().map(({ title }) => title);
    return searchChoices([...this.history.newestFirst, ...titles], this.line.text);
  }

  /** At once: for keys. */
  refresh(): void {
    if (this.isHeld) return;
    this.#frames.drawn();
    this.#printQuestion();
    this.menu.show(this.asked === undefined ? this.#listed() : [], this.line);
    for (const listener of this.#listeners) listener();
  }

  submit(op: Op): string {
    this.#submissions += 1;
    const id = `u${this.#submissions}`;
    this.engine.submit({ id, op });
    return id;
  }

  /** The model hears it before its next round, if it is at work. */
  say(text: string, brought: Brought = {}): void {
    this.history.add(text);
    this.model.waiting.set(this.submit({ type: 'user_input', text, steer: true, ...brought }), text);
  }

  /** Runs a command for the person. */
  runOwn(command: string): void {
    this.history.add(`!${command}`);
    this.model.waiting.set(this.submit({ type: 'user_command', command }), `!${command}`);
  }

  /** The question of an MCP server that waits for an answer; those about calls come first. */
  get form(): FormState | undefined {
    return this.model.calls.questions.length > 0 ? undefined : this.forms.of(this.model.elicitations);
  }

  /** What keys answer now, by its id. */
  get asked(): string | undefined {
    return this.model.calls.questions[0]?.call_id ?? this.form?.asked.question_id;
  }

  /** The question that waits for an answer. */
  get view(): DialogView | undefined {
    const [question, ...others] = this.model.calls.questions;
    if (question === undefined) return undefined;
    const { columns, height } = this.#options.size();
    return {
      question,
      mode: this.dialog,
      columns,
      limit: Math.max(4, Math.min(14, height - 3)),
      waiting: others.length,
      isReady: this.answers.isReady,
    };
  }

  answer(decision: 'approved' | 'approved_for_session' | 'approved_always' | 'denied' | 'abort', reason = ''): void {
    const [question] = this.model.calls.questions;
    if (question === undefined) return;
    this.model.calls.questions.shift();
    this.dialog = { type: 'choose' };
    const answer = { call_id: question.call_id, ...(reason !== '' && { reason }) };
    const plan = planOf(question);
    if (plan === undefined) {
      this.submit({ type: 'exec_approval', decision, ...answer });
      return;
    }
    const ofPlan = decision === 'denied' ? 'rejected' : decision === 'abort' ? 'abort' : 'approved';
    // The engine sees by itself whether the person has changed it.
    this.submit({
      type: 'plan_approval',
      decision: ofPlan,
      ...answer,
      ...(ofPlan === 'approved' && plan !== '' && { plan }),
    });
  }

  /** Whether something runs, or is about to. */
  get isBusy(): boolean {
    return this.model.busySince !== undefined || this.model.waiting.size > 0;
  }

  interrupt(): void {
    if (this.isBusy) this.submit({ type: 'interrupt' });
  }

  /** Ctrl-C: interrupts, or empties the line; twice in two seconds leaves. */
  stopOrLeave(): void {
    if (this.#stopping.press()) {
      this.leave(0);
      return;
    }
    this.interrupt();
    this.line = EMPTY_LINE;
    this.searching = undefined;
    this.dialog = { type: 'choose' };
    this.hint.show(LEAVE_HINT);
  }

  /** Any other key behind Ctrl-C: the next one does not leave. */
  disarm(): void {
    this.#stopping.forget();
    if (this.hint.text === LEAVE_HINT) this.hint.forget();
  }

  readonly copy = (text: string): void => this.#options.copy(text);
  readonly signIns: Pick<InteractiveOptions, 'signIn' | 'signOut'>;
  readonly edit = (text: string): Promise<string> => this.#options.edit(text);

  /** Another session in the place of this one. */
  async change(change: SessionChange): Promise<void> {
    this.#isChanging = true;
    this.hint.keep('closing the session …');
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
    this.hint.forget();
    this.model.reset();
    this.choices.forget();
    this.#begin(change.resume !== undefined);
    if (change.line !== undefined) this.line = change.line;
    this.refresh();
  }

  leave(exitCode: number): void {
    if (this.isLeaving) return;
    this.isLeaving = true;
    this.hint.forget();
    this.#frames.stop();
    this.model.settle();
    this.refresh();
    this.#options.onLeave(exitCode);
  }

  /** What was said before is on the screen already, if this is not the first. */
  #begin(isFirst: boolean): void {
    const { session: facts, view } = this.engine;
    this.model.facts = facts;
    this.model.outputOf = (callId) => view.output(callId);
    this.model.price = view.screen.price;
    this.model.context = { tokens: view.contextTokens, window: view.screen.contextWindow };
    this.model.print('banner', bannerRows(facts, this.model.columns));
    if (isFirst) replay(view.history, this.model);
    for (const { type, data } of view.history) if (type === 'user_message') this.history.add(data.text);
    void this.#read();
    this.refresh();
  }

  /** The server may have to be asked, which a short conversation does not need. */
  async #learnWindow(): Promise<void> {
    const { context } = this.model;
    if (context.window !== undefined || context.tokens < ALWAYS_FITS) return;
    context.window = await this.engine.view.contextWindow().catch(() => undefined);
    this.refresh();
  }

  async #read(): Promise<void> {
    for await (const event of this.engine.events) {
      if (this.isLeaving) continue;
      this.model.handle(event);
      if (event.msg.type === 'task_complete') void this.#learnWindow();
      this.#options.write(notification(this.engine.view.screen.notify, event.msg) ?? '');
      if (event.msg.type === 'input_withdrawn' && this.line.text === '') this.line = lineOf(event.msg.data.text);
      this.#frames.soon(this.model.busySince !== undefined);
    }
    // The engine has ended on its own: nothing can be said any more.
    if (!this.#isChanging) this.leave(1);
  }

  /** What the dialog has no room for is printed whole, whenever that is found: sizes change. */
  #printQuestion(): void {
    const { view } = this;
    if (view === undefined || !this.answers.mustPrint(view)) return;
    this.model.print('tool', questionRows(view.question, this.model.columns, [{ text: '? ', color: 'yellow' }]));
  }
}
