import type { Call } from '../core/call.js';

/** Who runs our tools: the loop inside the model, or the AI SDK. */
export type RunTools = 'model' | 'sdk';

/**
 * Decides who runs our tools. In doubt the loop offers nothing, because controls of the AI SDK, such as an approval, do not
 * reach a tool that the loop runs.
 */
export class ToolRunners {
  readonly #setting: RunTools | undefined;
  #handedOut = false;

  constructor(setting: RunTools | undefined) {
    this.#setting = setting;
  }

  /** Notes that the app has tools which the AI SDK runs. */
  handOut(): void {
    this.#handedOut = true;
  }

  /** Whether the loop offers our tools to this call. */
  inLoop({ sdkRunTools, declaredLoopTools }: Pick<Call, 'sdkRunTools' | 'declaredLoopTools'>): boolean {
    if (sdkRunTools.length > 0) return false;
    if (this.#setting !== undefined) return this.#setting === 'model';
    return !this.#handedOut || declaredLoopTools.length > 0;
  }
}
