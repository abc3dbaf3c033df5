import type { ToolChoice, ToolDeclaration } from '../core/tool.js';
import type { RoundChange } from './between-rounds.js';
import type { LoopOptions } from './loop-options.js';

/** The form of the next round. `between` may change it, for this round alone. */
export class NextRound {
  readonly #call: LoopOptions;
  readonly #all: readonly ToolDeclaration[];
  /** The options of the call, with the tools of the round. */
  options: LoopOptions;
  tools: readonly ToolDeclaration[];
  toolChoice: ToolChoice | undefined;
  texts: readonly string[] | undefined;
  /** The model of the round, if it is not that of the call. */
  modelId: string | undefined;

  constructor(options: LoopOptions) {
    const { toolset, call } = options;
    this.#call = options;
    this.#all = [...toolset.tools.map((tool) => tool.declaration), ...call.clientTools];
    this.options = options;
    this.tools = this.#all;
  }

  /** Names of the tools that a round offers if nothing changes it. */
  get names(): readonly string[] {
    return this.#all.map(({ name }) => name);
  }

  change({ tools, toolChoice, texts, modelId }: RoundChange): void {
    this.toolChoice = toolChoice;
    this.texts = texts;
    this.modelId = modelId;
    this.options = this.#call;
    this.tools = this.#all;
    if (tools !== undefined) this.#offer(tools);
  }

  #offer(names: readonly string[]): void {
    const wanted = new Set(names);
    const { toolset, onUnknownTool } = this.#call;
    const tools = toolset.tools.filter(({ declaration }) => wanted.has(declaration.name));
    const byWireName = new Map(tools.map((tool) => [tool.declaration.name, tool]));
    // A call of a tool that this round does not offer is answered here, also if it offers none of ours.
    const unknown = onUnknownTool ?? (toolset.tools.length > 0 ? 'error' : undefined);
    this.options = { ...this.#call, toolset: { ...toolset, tools, byWireName }, onUnknownTool: unknown };
    this.tools = this.#all.filter(({ name }) => wanted.has(name));
  }
}
