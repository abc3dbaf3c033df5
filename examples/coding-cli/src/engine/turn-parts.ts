import type { TextStreamPart, ToolSet } from 'ai';
import { plainJson } from './plain-json.js';
import type { StoredPart } from '../rollout/lines.js';
import type { WebSource } from '../web-search/sources.js';

type Part = TextStreamPart<ToolSet>;
type Kind = 'text' | 'reasoning';
type Metadata = Record<string, unknown>;
type Speech = Extract<Part, { type: `${Kind}-${'start' | 'delta' | 'end'}` }>;

export interface PartListener {
  onDelta(kind: Kind, text: string): void;
  /** A run of text is over. */
  onText(kind: Kind, text: string): void;
  /** A web page that the answer is based on. */
  onSource?(source: WebSource): void;
  /** To be kept, in the order in which the model began to say it. */
  onPart(part: StoredPart): void;
}

/** A text that is not over yet. */
interface OpenText {
  readonly kind: Kind;
  text: string;
  providerMetadata: Metadata | undefined;
  isOver: boolean;
}

/**
 * Makes whole parts of the pieces of a stream. They are handed on in the order in which they began: the end of a text often
 * comes behind the calls that follow it, and a line that is written is never changed.
 */
export class TurnParts {
  readonly #listener: PartListener;
  readonly #waiting: (OpenText | StoredPart)[] = [];
  readonly #open = new Map<string, OpenText>();

  constructor(listener: PartListener) {
    this.#listener = listener;
  }

  add(part: Part): void {
    switch (part.type) {
      case 'text-start':
      case 'text-delta':
      case 'text-end':
        return this.#speak('text', part);
      case 'reasoning-start':
      case 'reasoning-delta':
      case 'reasoning-end':
        return this.#speak('reasoning', part);
      case 'tool-call':
        return this.#keep({
          ...namesOf(part),
          type: 'tool-call',
          input: plainJson(part.input),
          ...(part.invalid === true ? { invalid: true } : {}),
        });
      case 'tool-result':
        if (part.preliminary === true) return undefined;
        return this.#keep({ ...namesOf(part), type: 'tool-result', output: plainJson(part.output) ?? null });
      case 'tool-error':
        return this.#keep({ ...namesOf(part), type: 'tool-result', output: errorOf(part.error), isError: true });
      case 'source':
        if (part.sourceType === 'url') this.#listener.onSource?.({ url: part.url, title: part.title });
        return undefined;
      default:
        return undefined;
    }
  }

  /** The stream is over, in whatever way: what it left open ends here. */
  end(): void {
    for (const [key, open] of this.#open) this.#close(key, open);
    this.#release();
  }

  #speak(kind: Kind, part: Speech): void {
    const key = `${kind} ${part.id}`;
    let open = this.#open.get(key);
    if (open === undefined) {
      open = { kind, text: '', providerMetadata: undefined, isOver: false };
      this.#open.set(key, open);
      this.#waiting.push(open);
    }
    open.providerMetadata = part.providerMetadata ?? open.providerMetadata;
    if ('text' in part && part.text !== '') {
      open.text += part.text;
      this.#listener.onDelta(kind, part.text);
    }
    if (part.type.endsWith('-end')) {
      this.#close(key, open);
      this.#release();
    }
  }

  #close(key: string, open: OpenText): void {
    this.#open.delete(key);
    open.isOver = true;
    if (open.text !== '') this.#listener.onText(open.kind, open.text);
  }

  #keep(part: StoredPart): void {
    this.#waiting.push(part);
    this.#release();
  }

  #release(): void {
    for (let first = this.#waiting[0]; first !== undefined; first = this.#waiting[0]) {
      if ('isOver' in first && !first.isOver) return;
      this.#waiting.shift();
      if (!('isOver' in first)) this.#listener.onPart(first);
      // An empty text says nothing, unless the provider hung something on it.
      else if (first.text !== '' || first.providerMetadata !== undefined) this.#listener.onPart(textPart(first));
    }
  }
}

/** A tool that the AI SDK ran has thrown; the provider gives the text. */
function errorOf(error: unknown): ReturnType<typeof plainJson> {
  return error instanceof Error ? error.message : plainJson(error);
}

function textPart({ kind, text, providerMetadata }: OpenText): StoredPart {
  return { type: kind, text, ...metadataOf({ providerMetadata }) };
}

interface Named {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly providerExecuted?: boolean | undefined;
  readonly providerMetadata?: unknown;
}

function namesOf(part: Named) {
  const { toolCallId, toolName, providerExecuted } = part;
  return {
    toolCallId,
    toolName,
    ...(providerExecuted === undefined ? {} : { providerExecuted }),
    ...metadataOf(part),
  };
}

function metadataOf({ providerMetadata }: { readonly providerMetadata?: unknown }): { providerMetadata?: Metadata } {
  const metadata = plainJson(providerMetadata) as Metadata | undefined;
  return metadata === undefined ? {} : { providerMetadata: metadata };
}
