import { isOldRule, ruleProblem } from 'responses-loop-example-shared/command-rules.js';
import { SettingsError } from 'responses-loop-example-shared/settings-error.js';
import type { Rule } from './types.js';

const COMMAND_TEXT = /^bash: (.+)$/s;
const EXACTLY_TEXT = /^exactly (.+)$/s;
const TEXT_TEXT = /^text: (\S+\.md) ([0-9a-f]{64})$/;
const WEB_TEXT = /^web: ([^\s/@\p{Cc}]+)$/u;
const MCP_TEXT = /^mcp: ([^/\p{Cc}]+)\/(\P{Cc}+)$/u;

/** As `/permissions` shows it, and as `--allow` and the file of permissions take it. */
export function printRule(rule: Rule): string {
  switch (rule.kind) {
    case 'command': {
      const [, command] = EXACTLY_TEXT.exec(rule.rule) ?? [];
      return `bash: ${command !== undefined && needsQuotes(command) ? `exactly ${JSON.stringify(command)}` : rule.rule}`;
    }
    case 'web':
      return `web: ${rule.host}`;
    case 'write':
      return 'write: in workspace';
    case 'text':
      return `text: ${rule.path} ${rule.hash}`;
    case 'mcp':
      return mcpText(rule);
  }
}

/** @throws SettingsError that says which forms there are. */
export function parseRule(text: string): Rule {
  const trimmed = text.trim();
  const [, command] = COMMAND_TEXT.exec(trimmed) ?? [];
  if (command !== undefined) return { kind: 'command', rule: parseCommandRule(command) };
  if (trimmed === 'write: in workspace') return { kind: 'write' };
  const [, path, hash] = TEXT_TEXT.exec(trimmed) ?? [];
  if (path !== undefined && hash !== undefined) return { kind: 'text', path, hash };
  const [, host] = WEB_TEXT.exec(trimmed) ?? [];
  if (host !== undefined && URL.canParse(`https://${host}`)) return { kind: 'web', host: host.toLowerCase() };
  const [, server, tool] = MCP_TEXT.exec(trimmed) ?? [];
  if (server !== undefined && tool !== undefined) return { kind: 'mcp', server, tool };
  throw noRule(text);
}

/** Whether it was a rule of an earlier version that allowed more than any rule does now. */
export function isOutdated(text: string): boolean {
  const [, command] = COMMAND_TEXT.exec(text.trim()) ?? [];
  return command !== undefined && isOldRule(command);
}

function parseCommandRule(text: string): string {
  const [, exact] = EXACTLY_TEXT.exec(text) ?? [];
  if (exact !== undefined) return `exactly ${exact.startsWith('"') ? unquoted(exact) : exact}`;
  const problem = ruleProblem(text);
  if (problem !== undefined) throw noRule(`bash: ${text}`, problem);
  return text;
}

function noRule(text: string, problem?: string): SettingsError {
  return new SettingsError(
    `"${text}" is not a rule${problem === undefined ? '' : `: ${problem}`}. Rules are "bash: PROGRAM OPTIONS" with "<text>", "<paths>" or "<names>" ` +
      'for what may differ, as in "bash: git commit -m <text> <paths>"; "bash: exactly COMMAND"; "write: in workspace"; "web: HOST"; "text: FILE SHA256"; and "mcp: SERVER/TOOL".',
  );
}

/** A rule for a tool of an MCP server; `undefined` where its text would stand for another one, or could not be read. */
export function mcpRule(server: string, tool: string): Rule | undefined {
  const rule = { kind: 'mcp', server, tool } as const;
  const [, ...read] = MCP_TEXT.exec(mcpText(rule).trim()) ?? [];
  return read[0] === server && read[1] === tool ? rule : undefined;
}

function mcpText({ server, tool }: Extract<Rule, { kind: 'mcp' }>): string {
  return `mcp: ${server}/${tool}`;
}

function needsQuotes(command: string): boolean {
  // oxlint-disable-next-line no-control-regex -- they would not be seen
  return command.startsWith('"') || command !== command.trim() || /[\0-\x1f\x7f]/.test(command);
}

function unquoted(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'string') return value;
  } catch {
    // The error below names it.
  }
  throw new SettingsError(`The rule "bash: exactly ${text}" starts with a quote, so it must be a whole JSON text.`);
}
