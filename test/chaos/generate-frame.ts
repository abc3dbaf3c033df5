import type { Dice } from './dice.js';
import type { McpScenario, ScenarioSettings } from './scenario.js';

const LONG_MS = 5_000;

/** What a scenario may contain: dimensions that exclude each other are settled first. */
export interface Frame {
  readonly mcp: McpScenario | undefined;
  readonly lanes: number;
  readonly settings: Omit<ScenarioSettings, 'toolTimeoutMs' | 'idleMs' | 'headersMs'>;
}

export function generateFrame(dice: Dice): Frame {
  const kind = dice.weighted<McpScenario['kind'] | undefined>([
    [72, undefined],
    [27.6, 'http'],
    [0.4, 'stdio'],
  ]);
  return {
    mcp:
      kind === undefined
        ? undefined
        : {
            kind,
            jsonResponses: dice.chance(0.4),
            deadAtStart: kind === 'http' && dice.chance(0.08),
            timeoutMs: dice.chance(0.25) ? 250 : LONG_MS,
          },
    lanes:
      kind === 'stdio'
        ? 1
        : dice.weighted([
            [85, 1],
            [10, 2],
            [5, 3],
          ]),
    settings: {
      backend: dice.weighted([
        [5, 'generic'],
        [3, 'openai'],
        [2, 'llamacpp'],
      ]),
      maxRounds: dice.weighted([
        [2, 1],
        [3, 2],
        [3, 3],
        [6, 20],
      ]),
      ...(dice.chance(0.2) ? { maxToolCalls: dice.between(1, 3) } : {}),
      toolConcurrency:
        kind === 'stdio'
          ? 1
          : dice.weighted<ScenarioSettings['toolConcurrency']>([
              [6, 'auto'],
              [2, 1],
              [2, 3],
            ]),
      toolParts: dice.weighted([
        [7, 'declared'],
        [2, 'all'],
        [1, 'none'],
      ]),
      carrier: dice.chance(0.8) ? 'metadata' : 'none',
      maxRetries: dice.weighted([
        [6, 0],
        [4, 1],
      ]),
      maxToolOutputChars: dice.chance(0.3) ? 300 : 200_000,
    },
  };
}
