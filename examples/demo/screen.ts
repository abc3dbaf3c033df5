import { type ObserverEvent, showControls } from 'responses-loop';

const isColourful = process.stdout.isTTY && process.env['NO_COLOR'] === undefined;
const paint =
  (code: number) =>
  (text: string): string =>
    isColourful ? `\u001b[${code}m${text}\u001b[0m` : text;

export const bold = paint(1);
export const dim = paint(2);
const red = paint(31);
const green = paint(32);

/** Longest piece of arguments or output on a line. */
const MAX_SHOWN = 120;

/** Writes to the terminal, words of others with their control characters written out; what streams and what comes in lines never run into each other. */
export class Screen {
  /** What has been seen so far. */
  readonly counts = { rounds: 0, toolCalls: 0 };
  #inText = false;

  /** A text of our own: it may hold colours. */
  line(text = ''): void {
    this.#endText();
    process.stdout.write(`${text}\n`);
  }

  /** A labelled fact. */
  fact(label: string, text: string): void {
    this.line(`${dim(label.padEnd(10))}${showControls(text)}`);
  }

  problem(text: string): void {
    this.#endText();
    process.stderr.write(`${red(showControls(text))}\n`);
  }

  success(text: string): void {
    this.line(green(showControls(text)));
  }

  /** A piece of the answer, as it comes. */
  text(delta: string): void {
    if (delta === '') return;
    process.stdout.write(showControls(delta));
    this.#inText = true;
  }

  /** One thing that happened inside the provider. */
  event(event: ObserverEvent): void {
    if (event.type === 'round-start') this.counts.rounds += 1;
    if (event.type === 'tool-start') this.counts.toolCalls += 1;
    if (event.type === 'round-start') this.line(`\n${bold(`Round ${event.round + 1}`)}`);
    if (event.type === 'tool-start')
      this.line(`  ${bold('call')}   ${toolName(event)} ${shorten(JSON.stringify(event.arguments))}`);
    if (event.type === 'tool-end') {
      const verdict = event.isError ? red('error ') : green('result');
      this.line(`  ${verdict} ${toolName(event)} ${shorten(event.output)} ${dim(`${event.durationMs} ms`)}`);
    }
    if (event.type === 'retry') this.line(dim(`  again in ${event.delayMs} ms: ${shorten(event.reason)}`));
    if (event.type === 'mcp-error') this.problem(event.message);
  }

  #endText(): void {
    if (this.#inText) process.stdout.write('\n');
    this.#inText = false;
  }
}

function toolName(event: { readonly source: string; readonly tool: string }): string {
  return showControls(`${event.source}/${event.tool}`);
}

function shorten(text: string): string {
  const line = showControls(text)
    .trim()
    .replaceAll(/\s*\n\s*/g, ' ⏎ ');
  return line.length <= MAX_SHOWN ? line : `${line.slice(0, MAX_SHOWN)}…`;
}
