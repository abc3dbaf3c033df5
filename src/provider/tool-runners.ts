import type { Call } from '../core/call.js';

/** The runner of our tools: the loop inside the model, or the AI SDK. */
export type RunTools = 'model' | 'sdk';

/**
 * Chooses the runner of our tools. In doubt the loop offers nothing, because controls of the AI SDK, such as an
 * approval, do not affect tools of the loop.
 */
export class ToolRunners {
  #handedOut = false;

  /** Notes that the app has tools which the AI SDK runs. */
  handOut(): void {
    this.#handedOut = true;
  }

  /** Whether the loop offers our tools to this call. `runTools`: the setting of its model. */
  inLoop(
    { sdkRunTools, declaredLoopTools }: Pick<Call, 'sdkRunTools' | 'declaredLoopTools'>,
    runTools: RunTools | undefined,
  ): boolean {
    if (sdkRunTools.length > 0) return false;
    if (runTools !== undefined) return runTools === 'model';
    return !this.#handedOut || declaredLoopTools.length > 0;
  }
}
