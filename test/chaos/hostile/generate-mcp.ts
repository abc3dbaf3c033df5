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

/** Of `test/support/hostile-mcp-server.mjs`; a process costs more than all else, so there are few. */
const MODES: readonly string[] = [
  ...['plain', 'many', 'lines', 'big', 'big-start', 'long-error', 'long-is-error', 'one-fat-page', 'endless-pages'],
  ...['empty-pages', 'repeated-pages', 'long-description', 'long-schema', 'deep-schema', 'deep-result', 'long-names'],
  ...['long-title', 'str', 'nul', 'wrong-id', 'error-text', 'nameless', 'odd-names', 'twice', 'sur', 'sur-everywhere'],
  ...['ansi', 'ansi-call', 'ansi-start', 'ansi-names', 'ansi-stderr', 'hidden-text', 'redos', 'noise', 'storm'],
  ...['stderr-long', 'exits', 'exits-at-start', 'silent'],
];

export function generateMcp(dice: Dice): { mcp: McpAttack; limits: Partial<Limits> } {
  const lists = dice.chance(0.45);
  const stdio = dice.chance(0.03) ? { stdio: dice.pick(MODES) } : undefined;
  return {
    mcp: stdio
      ? { list: 'plain', call: 'plain', ...stdio }
      : { list: lists ? dice.pick(LISTS) : 'plain', call: lists && dice.chance(0.7) ? 'plain' : dice.pick(CALLS) },
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
