import { spelledLine } from 'responses-loop-example-shared/call-view.js';
import type { CoderEvent, EventData, EventType, Todo } from '../protocol/events.js';
import { type BlockKind, noticeRows, reasoningRow, todoRows, userRows } from './block-rows.js';
import { said } from './call-rows.js';
import { openedOutput } from './output-rows.js';
import { cutRow, type Row } from './rows.js';
import { OpenCalls } from './open-calls.js';
import type { Decision, FoldedCall } from './shown-calls.js';
import { askedRows } from './form/form-rows.js';
import { sourceRows } from './source-rows.js';
import { TextFlow } from './text-flow.js';
import { deniedRows, foldedText, printedBy, toolRows } from './tool-rows.js';

type Handlers = { readonly [Type in EventType]?: (data: EventData<Type>) => void };

const REASONING_KEPT = 2000;
const FOLDED_KEPT = 20;
/** Blocks of these kinds stand close together. */
const CLOSE: ReadonlySet<BlockKind> = new Set(['tool', 'reasoning']);

/** What the screen shows, made of the engine's events: blocks of rows that are finished, and what is still changing. */
export class ScreenModel {
  columns = 80;
  /** Returns an output as the model read it. */
  outputOf: (callId: string) => string | undefined = () => undefined;
  facts: EventData<'session_configured'> | undefined;
  usage: EventData<'token_count'>['session'] | undefined;
  busySince: number | undefined;
  /** Tokens of the last round and of the task so far. */
  spent: { readonly round: number; readonly turn: number } | undefined;
  /** Tokens of the conversation, and how many the model takes, if that is known. */
  context: { tokens: number; window: number | undefined } = { tokens: 0, window: undefined };
  /** Prices of a million tokens: `IN,OUT,CACHED`. */
  price: string | undefined;
  /** How often the person has spoken. */
  turns = 0;
  /** Text of the last answer, as the model wrote it. */
  lastAnswer = '';
  reasoning = '';
  todos: readonly Todo[] = [];
  readonly calls = new OpenCalls();
  /** Questions of MCP servers that are open. */
  readonly elicitations: EventData<'elicitation_request'>[] = [];
  /** What was sent and has not begun, by the submission. */
  readonly waiting = new Map<string, string>();
  readonly #flow = new TextFlow(() => this.columns - 2);
  /** Outputs that are not shown in full, the newest last. */
  readonly #folded: FoldedCall[] = [];
  #finished: Row[] = [];
  #lastKind: BlockKind | undefined;
  /** An answer is being written. */
  #hadDelta = false;
  readonly #held: (() => void)[] = [];
  #isFirstRow = true;
  #hasSpoken = false;
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Takes the rows that were finished since this was called last. They belong to the terminal then: nothing keeps them. */
  takeRows(): Row[] {
    const rows = this.#finished;
    this.#finished = [];
    return rows;
  }

  /** The rows of the answer that are being written, as far from what is printed above as they will stand. */
  get openRows(): Row[] {
    const rows = this.#flow.open.map((spans, index) => this.#marked(spans, this.#isFirstRow && index === 0));
    const isApart = rows.length > 0 && this.#isFirstRow && this.#lastKind !== undefined;
    return isApart ? [[], ...rows] : rows;
  }

  handle({ id = '', msg: { type, data } }: Pick<CoderEvent, 'msg'> & { readonly id?: string }): void {
    // It has begun, is heard in the task that runs, or was refused.
    if (type === 'task_started' || type === 'user_message' || type === 'error') this.waiting.delete(id);
    const handler = this.#handlers[type] as ((data: unknown) => void) | undefined;
    handler?.(data);
  }

  /** Something the screen itself has to say. */
  notice(level: 'info' | 'warning' | 'error', text: string): void {
    this.print('notice', noticeRows(level, text, this.columns));
  }

  print(kind: BlockKind, rows: readonly Row[], { isContinued = false } = {}): void {
    if (rows.length === 0) return;
    const isFirst = this.#lastKind === undefined;
    const isClose = isContinued || (kind === this.#lastKind && CLOSE.has(kind));
    if (!isFirst && !isClose) this.#finished.push([]);
    for (const spans of rows) this.#finished.push(spans);
    this.#lastKind = kind;
  }

  /** A question of an MCP server is answered. */
  forgetAsked(id: string): void {
    const at = this.elicitations.findIndex((asked) => asked.question_id === id);
    if (at !== -1) this.elicitations.splice(at, 1);
  }

  /** Takes the newest call whose output is not shown in full; called again, the one before it. */
  takeFolded(): FoldedCall | undefined {
    return this.#folded.pop();
  }

  /** Prints an output in full. */
  printOpened(title: string, output: string): void {
    const head = cutRow([...said('in full: '), { text: spelledLine(title) }], this.columns);
    this.print('notice', [head, ...openedOutput(printedBy(output), this.columns)]);
  }

  /** Nothing changes any more: what was being written is finished as it is. */
  settle(): void {
    this.#finishReasoning();
    this.#finishText();
    this.busySince = undefined;
    this.calls.clear();
    this.elicitations.length = 0;
  }

  /** For another session; what is printed stays. */
  reset(): void {
    this.settle();
    this.facts = undefined;
    this.usage = undefined;
    this.turns = 0;
    this.todos = [];
    this.waiting.clear();
  }

  readonly #handlers: Handlers = {
    session_configured: (facts) => {
      this.facts = facts;
    },
    task_started: () => {
      this.busySince = this.#now();
      this.spent = undefined;
      this.#hasSpoken = false;
    },
    user_message: ({ text, steered = false }) => {
      this.turns += steered ? 0 : 1;
      this.#afterText(() => this.print('user', userRows(text, this.columns)));
    },
    input_withdrawn: ({ submission_id: id }) => {
      this.waiting.delete(id);
    },
    agent_message_delta: ({ text }) => {
      this.#finishReasoning();
      this.#hadDelta = true;
      this.#printText(this.#flow.push(text));
    },
    agent_message: ({ text }) => {
      this.#finishReasoning();
      this.#hasSpoken = true;
      this.lastAnswer = text;
      if (!this.#hadDelta) this.#printText(this.#flow.push(text));
      this.#finishText();
    },
    agent_reasoning_delta: ({ text }) => {
      this.reasoning = (this.reasoning + text).slice(-REASONING_KEPT);
    },
    agent_reasoning: ({ text }) => {
      this.reasoning = text;
      this.#finishReasoning();
    },
    tool_execution_begin: (call) => this.calls.begin(call, this.#now()),
    tool_execution_progress: (data) => this.calls.progress(data),
    tool_execution_end: (data) => this.#toolEnded(data),
    exec_approval_request: (question) => this.calls.ask(question),
    mode_changed: ({ mode, approval }) => {
      if (this.facts !== undefined) this.facts = { ...this.facts, mode, approval };
    },
    plan_approval_request: (asked) => this.calls.askAboutPlan(asked, this.facts?.cwd ?? '.'),
    elicitation_request: (asked) => {
      this.elicitations.push(asked);
      this.print('tool', askedRows(asked, this.columns));
    },
    elicitation_decision: ({ question_id: id }) => this.forgetAsked(id),
    plan_decision: ({ call_id: callId }) => this.calls.forgetQuestion(callId),
    approval_decision: (decision) => this.#decided(decision),
    todo_update: ({ todos }) => {
      this.todos = todos;
    },
    round_usage: ({ round, turn, session, is_aside: isAside }) => {
      this.spent = { round: round.total, turn: turn.total };
      this.usage = session;
      if (!isAside) this.context.tokens = round.total;
    },
    sources: ({ sources }) => this.print('notice', sourceRows(sources, this.columns)),
    token_count: ({ session, rounds }) => {
      this.usage = session;
      this.context.tokens = rounds.at(-1)?.total ?? this.context.tokens;
    },
    mcp_status: (status) => {
      if (status.state === 'failed')
        this.notice('warning', `MCP server ${status.server}: ${status.message ?? 'failed'}`);
    },
    compaction_started: ({ tokens }) => this.notice('info', `Summarizing the conversation${tokensIn(tokens)} …`),
    compaction_complete: ({ before_tokens: tokens, kept_turns: kept }) => {
      // How long it is now the next round tells.
      this.context.tokens = 0;
      const what =
        kept === 0
          ? '. Send your message again.'
          : `; the last ${kept === 1 ? 'turn is' : `${kept} turns are`} kept in full.`;
      this.notice('info', `Summarized the conversation${tokensIn(tokens, ' before')}${what}`);
    },
    warning: ({ message }) => this.notice('warning', message),
    error: ({ code, message }) => this.notice('error', `${code}: ${message}`),
    turn_aborted: ({ reason }) => {
      this.#taskEnded();
      if (reason === 'user') this.notice('warning', 'Interrupted. What should I do instead?');
      if (reason === 'max_turns') this.notice('warning', 'Say “go on” to let it continue.');
    },
    task_complete: ({ last_agent_message: text }) => {
      const hasSpoken = this.#hasSpoken;
      this.#taskEnded();
      // What is no conversation, such as `undo`, says its result only here.
      if (!hasSpoken && text !== '') this.notice('info', text);
    },
  };

  #printText(rows: readonly Row[]): void {
    for (const row of rows) {
      // A row without text in front of an answer is not shown.
      if (row.length === 0 && this.#isFirstRow) continue;
      this.print('text', [this.#marked(row, this.#isFirstRow)], {
        isContinued: !this.#isFirstRow && this.#lastKind === 'text',
      });
      this.#isFirstRow = false;
    }
  }

  #marked(row: Row, isFirst: boolean): Row {
    if (row.length === 0) return row;
    return [isFirst ? { text: '● ', color: 'magenta' } : { text: '  ' }, ...row];
  }

  #finishText(): void {
    this.#printText(this.#flow.end());
    this.#hadDelta = false;
    this.#isFirstRow = true;
    for (const print of this.#held.splice(0)) print();
  }

  /** A tool may have ended before the text in front of it has come to its end: it is shown behind it. */
  #afterText(print: () => void): void {
    if (this.#hadDelta) this.#held.push(print);
    else print();
  }

  #finishReasoning(): void {
    if (this.reasoning !== '') this.print('reasoning', reasoningRow(this.reasoning, this.columns));
    this.reasoning = '';
  }

  #toolEnded(event: EventData<'tool_execution_end'>): void {
    const end = this.#withOutput(event);
    const { call, decision } = this.calls.end(end.call_id);
    this.#afterText(() => {
      this.print('tool', toolRows({ end, call, decision }, this.columns));
      const text = foldedText({ end, call, decision });
      if (text !== undefined) this.#folded.push({ callId: end.call_id, title: end.title, text });
      if (this.#folded.length > FOLDED_KEPT) this.#folded.shift();
    });
  }

  /** An event holds only the beginning of a long output. */
  #withOutput(end: EventData<'tool_execution_end'>): EventData<'tool_execution_end'> {
    const output = end.truncated === true ? this.outputOf(end.call_id) : undefined;
    if (output === undefined) return end;
    return { ...end, ...(end.error === undefined ? { result: output } : { error: output }) };
  }

  #decided(decision: Decision): void {
    const { isDenied, question } = this.calls.decide(decision);
    if (isDenied) this.#afterText(() => this.print('tool', deniedRows(decision, question, this.columns)));
  }

  #taskEnded(): void {
    this.settle();
    // A finished plan was told by its last call.
    if (this.todos.some(({ status }) => status !== 'completed')) this.print('todo', todoRows(this.todos, this.columns));
    this.todos = [];
  }
}

function tokensIn(tokens: number, when = ''): string {
  return tokens === 0 ? '' : ` (${tokens.toLocaleString('en')} tokens${when})`;
}
