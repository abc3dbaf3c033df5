import type { ProviderTool } from '../tools/registry.js';

export interface ToolWatch {
  readonly onStart: (callId: string) => void;
  readonly onOutput: (callId: string, output: unknown) => void;
}

/** Tools of this process that run, so that nothing ends before their processes have. */
export class OpenTools {
  readonly #running = new Set<Promise<unknown>>();

  /** Returns the same tools, watched: `onStart` tells which call begins, `onOutput` what it returned. */
  watch(
    tools: Readonly<Record<string, ProviderTool>>,
    { onStart, onOutput }: ToolWatch,
  ): Readonly<Record<string, ProviderTool>> {
    const entries = Object.entries(tools).map(([name, tool]): [string, ProviderTool] => {
      const execute: ProviderTool['execute'] = (input, options) => {
        onStart(options.toolCallId);
        return this.#add(tool.execute(input, options).then((output) => (onOutput(options.toolCallId, output), output)));
      };
      return [name, { ...tool, execute }];
    });
    return Object.fromEntries(entries);
  }

  /** When none runs any more, or after a while. */
  async whenIdle(graceMs: number): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const givenUp = new Promise<void>((resolve) => (timer = setTimeout(resolve, graceMs)));
    await Promise.race([Promise.allSettled(this.#running), givenUp]);
    clearTimeout(timer);
  }

  #add<T>(run: Promise<T>): Promise<T> {
    this.#running.add(run);
    // It is the provider that hears of a failure.
    void run.catch(() => {}).finally(() => this.#running.delete(run));
    return run;
  }
}
