import type { AdapterMessage, ProviderMetadata } from '../types/messages.js';

export interface SaidMetadata {
  readonly provider?: ProviderMetadata | undefined;
  readonly providerExecuted?: boolean | undefined;
  readonly isError?: boolean | undefined;
}

/** A text or a thought that is not over yet. */
interface OpenBlock {
  readonly kind: 'text' | 'thinking';
  text: string;
  provider: ProviderMetadata | undefined;
  isOver: boolean;
}

/**
 * Makes rows of what a model says, in the order in which it began to say it: the end of a text is often known only behind
 * the calls that follow it, and a row is never changed once it is there.
 */
export class RowBuilder {
  readonly #onRow: (row: AdapterMessage) => void;
  #waiting: (OpenBlock | AdapterMessage)[] = [];
  readonly #open = new Map<string, OpenBlock>();

  constructor(onRow: (row: AdapterMessage) => void) {
    this.#onRow = onRow;
  }

  say(kind: OpenBlock['kind'], id: string, text: string, provider?: ProviderMetadata): void {
    const key = `${kind} ${id}`;
    let block = this.#open.get(key);
    if (block === undefined) {
      block = { kind, text: '', provider: undefined, isOver: false };
      this.#open.set(key, block);
      this.#waiting.push(block);
    }
    block.text += text;
    block.provider = provider ?? block.provider;
  }

  endSaying(kind: OpenBlock['kind'], id: string, provider?: ProviderMetadata): void {
    const key = `${kind} ${id}`;
    const block = this.#open.get(key);
    if (block === undefined) return;
    this.#open.delete(key);
    block.provider = provider ?? block.provider;
    block.isOver = true;
    this.#release();
  }

  call(toolId: string, toolName: string, input: unknown, metadata: SaidMetadata = {}): void {
    this.#waiting.push({
      type: 'tool',
      content: `${toolName} ${inText(input)}`,
      isToolUse: true,
      toolName,
      toolInput: input,
      toolId,
      ...metadataOf(metadata),
    });
    this.#release();
  }

  /** A question about a call, which waits for a person. */
  ask(
    approvalId: string,
    call: { readonly toolCallId: string; readonly toolName: string; readonly input: unknown },
  ): void {
    const { toolCallId: toolId, toolName, input: toolInput } = call;
    const metadata = { kind: 'approval_request', approvalId } as const;
    this.#waiting.push({ type: 'system', content: `May ${toolName} run?`, toolId, toolName, toolInput, metadata });
    this.#release();
  }

  result(toolId: string, toolName: string, result: unknown, metadata: SaidMetadata = {}): void {
    this.#waiting.push({
      type: 'tool',
      content: readable(readByModel(metadata) ?? result),
      isToolUse: false,
      toolName,
      toolId,
      toolResult: result,
      ...metadataOf(metadata),
    });
    this.#release();
  }

  /** Ends what is still open: the turn is over. */
  flush(): void {
    for (const block of this.#open.values()) block.isOver = true;
    this.#open.clear();
    this.#release();
  }

  #release(): void {
    for (let first = this.#waiting[0]; first !== undefined; first = this.#waiting[0]) {
      const row = 'isOver' in first ? rowOf(first) : first;
      if (row === 'open') return;
      this.#waiting.shift();
      if (row !== undefined) this.#onRow(row);
    }
  }
}

function rowOf({ kind, text, provider, isOver }: OpenBlock): AdapterMessage | 'open' | undefined {
  if (!isOver) return 'open';
  if (text === '' && provider === undefined) return undefined;
  const metadata = { ...(kind === 'thinking' ? { kind } : {}), ...(provider === undefined ? {} : { provider }) };
  return { type: 'agent', content: text, ...(Object.keys(metadata).length > 0 ? { metadata } : {}) };
}

function metadataOf({ provider, providerExecuted, isError }: SaidMetadata): Pick<AdapterMessage, 'metadata'> {
  return {
    metadata: {
      ...(provider === undefined ? {} : { provider }),
      ...(providerExecuted === undefined ? {} : { providerExecuted }),
      ...(isError === true ? { isError } : {}),
    },
  };
}

/** Where the model read something else than the result says, our provider notes it beside the part. */
function readByModel({ provider }: SaidMetadata): unknown {
  return provider?.['responses-loop']?.['output'];
}

/** What the model reads of a result: the texts of an MCP result, a text as it is, else JSON. */
function readable(result: unknown): string {
  if (typeof result === 'string') return result;
  if (result instanceof Error) return result.message;
  const content = (result as { content?: unknown } | null)?.content;
  if (!Array.isArray(content)) return inText(result);
  const texts = content.map((block: { type?: string; text?: string }) => block.text ?? `[${block.type ?? 'content'}]`);
  return texts.join('\n');
}

function inText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    return String(value);
  }
}
