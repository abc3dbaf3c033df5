import { parseJson } from '../../util/json.js';
import { messagesSoFar, type ResponsesProviderV4 } from '../../v4.js';
import type { Screen } from './screen.js';

type Model = ReturnType<ResponsesProviderV4>;
type Part = Readonly<Record<string, unknown>>;

/** A model and the messages of the chat. */
export class Conversation {
  readonly #model: Model;
  readonly #start: readonly unknown[];
  #messages: unknown[] = [];

  constructor(model: Model, system: string | undefined) {
    this.#model = model;
    this.#start = system === undefined ? [] : [{ role: 'system', content: system }];
  }

  clear(): void {
    this.#messages = [];
  }

  /** Runs one turn and shows it as it arrives. The text before an abort or an error stays in the conversation. */
  async say(text: string, screen: Screen, abortSignal: AbortSignal): Promise<void> {
    const question = { role: 'user', content: [{ type: 'text', text }] };
    const parts: Part[] = [];
    try {
      const prompt = [...this.#start, ...this.#messages, question];
      const { stream } = await this.#model.doStream({ prompt, abortSignal });
      for await (const part of stream as ReadableStream<Part>) {
        screen.part(part);
        parts.push(asInMessages(part));
      }
    } catch (error) {
      parts.push({ type: 'abort' });
      if (!abortSignal.aborted) screen.fail(error);
    }
    const answer = await messagesSoFar(parts);
    // A question without an answer may be asked again.
    if (answer.length > 0) this.#messages.push(question, ...answer);
  }
}

/** `messagesSoFar` reads parts as `streamText` passes them on. */
function asInMessages(part: Part): Part {
  if (part['type'] === 'tool-call') return { ...part, input: parseJson(String(part['input'])) ?? {} };
  if (part['type'] !== 'tool-result') return part;
  const { result, isError, ...rest } = part;
  return isError === true ? { ...rest, type: 'tool-error', error: result } : { ...rest, output: result };
}
