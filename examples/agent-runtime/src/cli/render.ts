import { inFlags } from 'responses-loop-example-shared/model-flags.js';
import { stdout } from 'node:process';
import type { DriverStreamEvent, StopReason, Turn } from '../types/index.js';
import { EXIT, type ExitCode } from './exit-codes.js';
import { questionLine, readable } from './readable.js';
import { brief, say, write, writeJson } from './say.js';

/** Shows a turn as it happens: the answer on stdout, what is done for it on stderr. Answers how it ended. */
export async function showTurn(turn: Turn): Promise<ExitCode> {
  const screen = new Screen();
  return followTurn(turn, (event) => screen.show(event));
}

/** One event per line. */
export async function printTurn(turn: Turn): Promise<ExitCode> {
  return followTurn(turn, writeJson);
}

const CODES: Partial<Record<StopReason, ExitCode>> = {
  error: EXIT.turnFailed,
  approval_needed: EXIT.approvalNeeded,
};

async function followTurn(turn: Turn, show: (event: DriverStreamEvent) => void): Promise<ExitCode> {
  let code: ExitCode = EXIT.done;
  for await (const event of turn) {
    show(event);
    if (event.type === 'interrupted') code = event.data.reason === 'user' ? EXIT.interrupted : EXIT.turnFailed;
    else if (event.type === 'message_stop') code = CODES[event.data.stopReason] ?? code;
  }
  await turn;
  return code;
}

/** Where the cursor of the answer is, so that lines of the two streams do not mix in a terminal. */
class Screen {
  #isInLine = false;
  #isThinking = false;
  readonly #names = new Map<string, string>();

  show({ type, data }: DriverStreamEvent): void {
    switch (type) {
      case 'text_delta':
        write(data.text);
        if (data.text !== '') this.#isInLine = !data.text.endsWith('\n');
        break;
      case 'thinking_delta':
        if (!this.#isThinking) this.#note('· thinking');
        this.#isThinking = true;
        break;
      case 'tool_use_stop':
        this.#names.set(data.toolCallId, data.toolName);
        this.#isThinking = false;
        this.#note(`· ${data.toolName} ${brief(JSON.stringify(data.input) ?? '')}`);
        break;
      case 'tool_result': {
        const name = this.#names.get(data.toolCallId) ?? 'tool';
        this.#note(`· ${name} ${data.isError === true ? 'failed' : 'answered'}: ${brief(readable(data.result))}`);
        break;
      }
      case 'approval_request':
        this.#note(`· ${questionLine(data)}`);
        break;
      case 'compaction_started':
        this.#note(`· compacting (${data.tokens} tokens)`);
        break;
      case 'compaction_complete':
        this.#note(
          `· a summary replaces the turns up to ${data.throughTurn}${data.keptTurns === 0 ? '; send your message again' : ''}`,
        );
        break;
      case 'warning':
        this.#note(`agent: ${data.message}`);
        break;
      case 'error':
        this.#note(`agent: ${inFlags(data.message)}${data.isRetryable ? ' (it may work if you try again)' : ''}`);
        break;
      case 'interrupted':
        this.#note(data.reason === 'timeout' ? 'agent: the turn took too long' : 'agent: interrupted');
        break;
      case 'message_stop':
        this.#endLine();
        if (data.stopReason === 'max_tokens') say('agent: the answer was cut off: it reached its longest length');
        if (data.stopReason === 'content_filter') say('agent: the answer was cut off by a filter');
        break;
      default:
    }
  }

  #note(line: string): void {
    this.#endLine();
    say(line);
  }

  #endLine(): void {
    if (this.#isInLine) stdout.write('\n');
    this.#isInLine = false;
  }
}
