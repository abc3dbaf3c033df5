import type { Turn } from '../core/entry.js';
import type { ToolChoice, ToolDeclaration } from '../core/tool.js';
import type { OpeningCall, Toolset } from '../tools/loop-tool.js';
import { withNamed, withOpened } from '../tools/open-tools.js';
import type { RoundChange } from './between-rounds.js';
import type { TextFilter } from './broken-round.js';
import type { LoopOptions } from './loop-options.js';
import type { AnsweredCall } from './own-calls.js';

/** The form of the next round. `between` may change it, for this round alone. */
export class NextRound {
  #call: LoopOptions;
  #all: readonly ToolDeclaration[];
  /** The options of the call, with the tools of the round. */
  options: LoopOptions;
  tools: readonly ToolDeclaration[];
  toolChoice: ToolChoice;
  texts: readonly string[] | undefined;
  /** Changes the texts of the round. */
  #filter: TextFilter | undefined;
  #usualChoice: ToolChoice;
  /** Calls of earlier rounds whose outputs the round sends to the model. */
  late: readonly AnsweredCall[] | undefined;
  /** The model of the round, if it is not that of the call. */
  modelId: string | undefined;

  constructor(options: LoopOptions) {
    this.#call = options;
    this.#all = declarationsOf(options);
    this.options = options;
    this.tools = this.#all;
    this.#usualChoice = options.call.toolChoice;
    this.toolChoice = this.#usualChoice;
  }

  /** Stops forcing the model after its call, because repeated forcing would never end. */
  endForce(): void {
    if (FORCED.has(this.#usualChoice.type)) this.#usualChoice = { type: 'auto' };
    this.toolChoice = this.#usualChoice;
  }

  /** Another round follows a settled one. */
  settled(): void {
    this.endForce();
    this.texts = undefined;
  }

  /** Requests the rest of a broken round. */
  goOn(ask: string, filter: TextFilter): void {
    this.texts = [ask];
    this.#filter = filter;
  }

  /** Returns the facts of the new round only. No carrier contains the request for a rest. */
  take(): Pick<NextRound, 'options' | 'texts' | 'late'> & { readonly filter: TextFilter | undefined } {
    const { options, texts, late } = this;
    const filter = this.#filter;
    this.#filter = undefined;
    this.late = undefined;
    return { options, filter, late, texts: filter === undefined ? texts : undefined };
  }

  /** Names of the tools that a round offers if nothing changes it. */
  get names(): readonly string[] {
    return this.#all.map(({ name }) => name);
  }

  /** Names of the tools that a change may open. */
  get keptBack(): readonly string[] {
    return [...(this.#call.toolset.keptBack?.byWireName.keys() ?? [])];
  }

  /** Whether calls may open further tools. */
  get mayOpen(): boolean {
    return this.#call.toolset.opens !== undefined;
  }

  /** Offers what these calls open, from this round on. */
  async open(calls: readonly OpeningCall[]): Promise<void> {
    this.#call = withToolset(this.#call, await withOpened(this.#call.toolset, calls));
    this.#all = declarationsOf(this.#call);
    this.options = this.#call;
    this.tools = this.#all;
  }

  change({ tools, toolChoice, texts, modelId }: RoundChange): void {
    this.toolChoice = toolChoice ?? this.#usualChoice;
    this.texts = texts;
    this.modelId = modelId;
    const forced = toolChoice?.type === 'tool' ? [toolChoice.name] : [];
    const { toolset } = this.#call;
    this.options = withToolset(this.#call, withNamed(toolset, [...(tools ?? []), ...forced]));
    this.tools = this.options === this.#call ? this.#all : declarationsOf(this.options);
    if (tools !== undefined) this.#offer(tools);
  }

  #offer(names: readonly string[]): void {
    const { toolset, onUnknownTool } = this.options;
    // The round offers the tool that reads the rest of outputs, because outputs name it.
    const readers = names.length === 0 ? [] : (toolset.opened ?? []).filter(({ source }) => source.kind === 'own');
    const wanted = new Set([...names, ...readers.map(({ declaration }) => declaration.name)]);
    const tools = toolset.tools.filter(({ declaration }) => wanted.has(declaration.name));
    const byWireName = new Map(tools.map((tool) => [tool.declaration.name, tool]));
    // Answers calls of tools that this round does not offer, even if it offers none of ours.
    const unknown = onUnknownTool ?? (toolset.tools.length > 0 ? 'error' : undefined);
    this.tools = this.tools.filter(({ name }) => wanted.has(name));
    this.options = { ...this.options, toolset: { ...toolset, tools, byWireName }, onUnknownTool: unknown };
  }
}

/** Choices that force a call. */
const FORCED: ReadonlySet<ToolChoice['type']> = new Set(['tool', 'required']);

export function userTurn(text: string): Turn {
  return { role: 'user', content: [{ type: 'text', text }] };
}

function withToolset(options: LoopOptions, toolset: Toolset): LoopOptions {
  return toolset === options.toolset ? options : { ...options, toolset };
}

/** Opened tools are last, so that the list begins the same for the server's cache. */
function declarationsOf({ toolset, call }: LoopOptions): readonly ToolDeclaration[] {
  const last = new Set(toolset.opened);
  const of = (tools: Toolset['tools']): readonly ToolDeclaration[] => tools.map((tool) => tool.declaration);
  return [...of(toolset.tools.filter((tool) => !last.has(tool))), ...call.clientTools, ...of(toolset.opened ?? [])];
}
