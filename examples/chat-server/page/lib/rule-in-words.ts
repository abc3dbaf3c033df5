import { spelledLine } from 'responses-loop-example-shared/call-view.js';

/** The server names a rule by its kind: `describeGrant`. What begins with an earlier row is not read by a later one. */
const KINDS: readonly (readonly [prefix: string, words: string])[] = [
  ['tool: ', 'every call of '],
  ['mcp: ', 'every call of the MCP tool '],
  ['web: ', 'every page of '],
  ['browser: ', 'every step in the browser at '],
  ['shell: exactly ', 'exactly the command '],
  ['shell: ', 'commands of the form '],
];

/** What “Always in this chat” will allow. Different rules read differently. */
export function ruleInWords(rule: string): string {
  const [prefix, words] = KINDS.find(([start]) => rule.startsWith(start)) ?? ['', ''];
  return words + spelledLine(rule.slice(prefix.length));
}
