import { questionOf } from '../../tools/question/question-of.js';
import { showControls } from '../../util/control-characters.js';
import { errorText } from '../../util/error-text.js';
import { asNumber, asRecord, asString } from '../../util/guards.js';
import { parseJson } from '../../util/json.js';
import { type Paint, painter } from '../colours.js';
import type { Terminal } from '../command.js';
import type { Price } from '../../v4.js';
import { money } from '../timeline/totals.js';
import { oneLine } from '../words.js';

const SHOWN_CHARS = 160;

const NOTHING = { answers: 0, input: 0, cached: 0, output: 0, reasoning: 0 };

type Part = Readonly<Record<string, unknown>>;

/** Writes the text of an answer to standard output, and everything else to standard error. */
export class Screen {
  readonly #terminal: Terminal;
  readonly #paint: Paint;
  /** The kind of the line being written. */
  #open: 'text' | 'reasoning' | undefined;
  readonly #warnings = new Set<string>();
  hasFailed = false;
  /** Tokens of the conversation. */
  #total = NOTHING;
  /** Returns what tokens cost; absent: no cost is shown. */
  price: Price | undefined;
  /** Removes secrets from warnings. */
  hide = (text: string): string => text;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
    this.#paint = painter(terminal.stderr, terminal.env);
  }

  /** Writes a line that is no part of the answer. */
  note(text: string): void {
    this.#end();
    this.#terminal.stderr.write(`${this.#paint(showControls(text), 'dim')}\n`);
  }

  /** Writes each warning once per chat, because most calls repeat it. */
  warn(said: string): void {
    const text = this.hide(said);
    if (this.#warnings.has(text)) return;
    this.#warnings.add(text);
    this.note(`! ${text}`);
  }

  part(part: Part): void {
    const show = SHOW[String(part['type'])];
    show?.(this, part);
  }

  text(delta: unknown): void {
    if (this.#open === 'reasoning') this.#end();
    this.#open = 'text';
    this.#terminal.stdout.write(showControls(asString(delta) ?? ''));
  }

  reasoning(delta: unknown): void {
    if (this.#open === 'text') this.#end();
    this.#open = 'reasoning';
    this.#terminal.stderr.write(this.#paint(showControls(asString(delta) ?? ''), 'dim'));
  }

  /** Writes the tokens of an answer, and from the second one on those of the conversation. */
  finish(usage: unknown, finishReason: unknown): void {
    const { answers, input, cached, output } = this.#total;
    const spent = spentBy(usage);
    this.#total = {
      answers: answers + 1,
      input: input + (spent.input ?? 0),
      cached: cached + spent.cached,
      output: output + (spent.output ?? 0),
      reasoning: 0,
    };
    const total = answers === 0 ? '' : `; conversation: ${this.#spent(this.#total)}`;
    const reason = asString(asRecord(finishReason)?.['unified']) ?? 'unknown';
    this.note(`[${this.#spent(spent)}${total}${reason === 'stop' ? '' : `; ended: ${reason}`}]`);
  }

  /** Returns tokens with their cost. A price is for one token, so it fits sums. */
  #spent(spent: Spent): string {
    const { input: inputTokens, cached: cachedInputTokens, output: outputTokens } = spent;
    const isKnown = inputTokens !== undefined && outputTokens !== undefined;
    const cost = isKnown ? this.price?.({ inputTokens, cachedInputTokens, outputTokens }, '') : undefined;
    return `${tokensText(spent)}${cost === undefined ? '' : `, cost ${money(cost)}`}`;
  }

  /** Begins another conversation. */
  forget(): void {
    this.#total = NOTHING;
  }

  fail(error: unknown): void {
    this.hasFailed = true;
    this.note(`! ${errorText(error)}`);
  }

  #end(): void {
    if (this.#open === 'text') this.#terminal.stdout.write('\n');
    if (this.#open === 'reasoning') this.#terminal.stderr.write('\n');
    this.#open = undefined;
  }
}

const SHOW: Readonly<Record<string, (screen: Screen, part: Part) => void>> = {
  'text-delta': (screen, { delta }) => screen.text(delta),
  'reasoning-delta': (screen, { delta }) => screen.reasoning(delta),
  'tool-call': (screen, { toolName, input }) => screen.note(`→ ${callText(String(toolName), input)}`),
  'tool-result': (screen, { toolName, isError, result }) =>
    screen.note(`← ${String(toolName)}${isError === true ? ' failed:' : ''} ${cut(result)}`),
  error: (screen, { error }) => screen.fail(error),
  finish: (screen, { usage, finishReason }) => screen.finish(usage, finishReason),
  'stream-start': (screen, { warnings }) => {
    for (const warning of Array.isArray(warnings) ? (warnings as unknown[]) : []) {
      const { message, feature, details } = asRecord(warning) ?? {};
      screen.warn(asString(message) ?? [feature, details].filter(Boolean).join(': '));
    }
  },
};

/** Returns a call that runs, whole, in the words of a question. Arguments that are no JSON never reach a tool. */
function callText(tool: string, input: unknown): string {
  const args = typeof input === 'string' ? (parseJson(input) ?? input) : input;
  const { head, whole } = questionOf({ tool, arguments: args });
  return `${head} ${whole}`;
}

function cut(value: unknown): string {
  return oneLine(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''), SHOWN_CHARS);
}

interface Spent {
  readonly input: number | undefined;
  readonly cached: number;
  readonly output: number | undefined;
  readonly reasoning: number;
}

function spentBy(usage: unknown): Spent {
  const { inputTokens, outputTokens } = asRecord(usage) ?? {};
  const input = asRecord(inputTokens) ?? {};
  const output = asRecord(outputTokens) ?? {};
  return {
    input: asNumber(input['total']),
    cached: asNumber(input['cacheRead']) ?? 0,
    output: asNumber(output['total']),
    reasoning: asNumber(output['reasoning']) ?? 0,
  };
}

function tokensText({ input, cached, output, reasoning }: Spent): string {
  return `${input ?? '?'} tokens in${cached > 0 ? ` (${cached} cached)` : ''}, ${output ?? '?'} out${reasoning > 0 ? ` (${reasoning} reasoning)` : ''}`;
}
