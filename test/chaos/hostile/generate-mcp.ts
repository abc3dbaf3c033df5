import type { Limits } from '../../../src/core/limits.js';
import type { Dice } from '../dice.js';
import type { McpAttack, McpCallMode, McpListMode } from './scenario.js';

const LISTS: readonly McpListMode[] = [
  ...([
    'many',
    'endless-pages',
    'repeated-pages',
    'long-description',
    'long-schema',
    'deep-schema',
    'odd-names',
  ] as const),
  ...(['odd-shapes', 'no-list', 'escapes', 'surrogates', 'patterns', 'error', 'redirect', 'html', 'echo'] as const),
];
const CALLS: readonly McpCallMode[] = [
  ...(['many-blocks', 'string', 'null', 'surrogate', 'escapes', 'huge', 'long-error', 'is-error', 'echo'] as const),
  ...(['echo-error', 'deep', 'odd-structure', 'redirect', 'status-401', 'html', 'endless'] as const),
];

export function generateMcp(dice: Dice): { mcp: McpAttack; limits: Partial<Limits> } {
  const lists = dice.chance(0.45);
  return {
    mcp: { list: lists ? dice.pick(LISTS) : 'plain', call: lists && dice.chance(0.7) ? 'plain' : dice.pick(CALLS) },
    limits: {
      toolsPerServer: dice.between(2, 20),
      descriptionChars: dice.between(50, 500),
      schemaChars: dice.between(200, 2_000),
      errorChars: dice.between(100, 1_000),
      messageBytes: dice.between(100_000, 500_000),
      ...(dice.chance(0.3) ? { jsonDepth: dice.between(20, 100) } : {}),
    },
  };
}
