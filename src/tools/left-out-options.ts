import type { FunctionOptions } from '../core/tool.js';
import type { Unsupported } from '../core/warning.js';

type OptionName = keyof FunctionOptions;

/** How many tools a warning names. */
const MAX_NAMED = 5;

/** Keeps from a server what it does not know of the options of tools, and says so once for each option. */
export class LeftOutOptions {
  readonly #known: ReadonlySet<OptionName> | undefined;
  readonly #leftOut = new Map<string, string[]>();

  /** `undefined`: everything is known. */
  constructor(known: ReadonlySet<OptionName> | undefined) {
    this.#known = known;
  }

  filter(tool: string, options: FunctionOptions = {}): FunctionOptions {
    const known = this.#known;
    if (known === undefined) return options;
    const kept = Object.entries(options).filter(([name, value]) => {
      // The names of these options are the keys of their type; what is switched off needs no server that knows it.
      const isKept = known.has(name as OptionName) || value === false;
      if (!isKept) this.#note(name, tool);
      return known.has(name as OptionName);
    });
    return Object.fromEntries(kept);
  }

  out(): readonly Unsupported[] {
    return [...this.#leftOut].map(([name, tools]) => ({
      feature: name,
      details: `"${name}" of ${listed(tools)} was not sent: the back end or the model does not know it.`,
    }));
  }

  #note(name: string, tool: string): void {
    const tools = this.#leftOut.get(name);
    if (tools === undefined) this.#leftOut.set(name, [tool]);
    else tools.push(tool);
  }
}

function listed(tools: readonly string[]): string {
  const named = tools
    .slice(0, MAX_NAMED)
    .map((tool) => `"${tool}"`)
    .join(', ');
  return tools.length > MAX_NAMED ? `${tools.length} tools (${named}, …)` : named;
}
