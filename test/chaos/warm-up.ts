import { plainAnswer } from './plain-answer.js';
import type { Lane, Scenario, Via } from './scenario.js';

const VIAS: readonly Via[] = ['doStream', 'doGenerate', 'streamText', 'generateText'];

/** Nothing goes wrong in it; it only touches everything once. */
export const WARM_UP: Scenario = {
  seed: -1,
  settings: {
    backend: 'generic',
    maxRounds: 5,
    toolConcurrency: 'auto',
    toolParts: 'declared',
    carrier: 'metadata',
    maxRetries: 0,
    toolTimeoutMs: 5_000,
    idleMs: 5_000,
    headersMs: 5_000,
    maxToolOutputChars: 200_000,
  },
  mcp: { kind: 'http', jsonResponses: false, deadAtStart: false, timeoutMs: 5_000 },
  lanes: VIAS.map((via, lane): Lane => ({
    via,
    toolChoice: 'auto',
    declaresLoopTools: true,
    hasClientTool: false,
    pace: 'eager',
    exchanges: [
      {
        ...plainAnswer(`resp_${lane}`, [
          { type: 'text', text: `T${lane}.0: let me look.` },
          { type: 'call', name: 'look', marker: `M${lane}.0.0`, does: 'ok', broken: false, callId: `call_${lane}_0` },
          { type: 'call', name: 'poke', marker: `M${lane}.0.1`, does: 'ok', broken: false, callId: `call_${lane}_1` },
        ]),
        eventLines: true,
      },
    ],
  })),
  replay: false,
};
