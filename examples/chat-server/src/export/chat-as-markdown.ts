import { getToolName, isToolUIPart } from 'ai';
import type { ChatPart, SessionFile, StoredMessage } from '../types.js';

const NAMES: Readonly<Record<StoredMessage['role'], string>> = {
  user: 'You',
  assistant: 'Assistant',
  system: 'System',
  subagent: 'Sub-agent',
};

/** A chat for reading elsewhere: the branch that is shown, with its tool calls. Files are named, not put in. */
export function chatAsMarkdown({ title, createdAt }: SessionFile, path: readonly StoredMessage[]): string {
  const head = `# ${title.trim() === '' ? 'Chat' : title.trim()}\n\n${createdAt.slice(0, 10)}`;
  return `${[head, ...path.map(messageText)].join('\n\n')}\n`;
}

function messageText({ role, messageKind, parts, metadata }: StoredMessage): string {
  const name = messageKind === 'compact_summary' ? 'Summary of the messages before' : NAMES[role];
  const end = metadata.isAborted === true ? ['*Stopped.*'] : [];
  return [`## ${name}`, ...parts.flatMap(partText), ...end].join('\n\n');
}

function partText(part: ChatPart): string[] {
  if (isToolUIPart(part)) return [callText(part)];
  switch (part.type) {
    case 'text':
      return [part.text];
    case 'reasoning':
      return part.text.trim() === '' ? [] : [quote(`*Thinking:* ${part.text}`)];
    case 'file':
      return [`*File: ${part.filename ?? part.mediaType}*`];
    case 'data-steered':
      return [quote(`*You, meanwhile:* ${part.data.text}`)];
    case 'data-skill':
      return [`*Skill: ${part.data.name}*`];
    default:
      return [];
  }
}

function callText(part: Extract<ChatPart, { toolCallId: string }>): string {
  const { state, input, output, errorText } = part;
  const came = state === 'output-error' ? errorText : state === 'output-available' ? output : undefined;
  const lines = [`**Tool ${getToolName(part)}** (${state.replaceAll('-', ' ')})`, fenced(input)];
  const { approved, reason } = part.approval ?? {};
  const why = approved === false && reason !== undefined ? [quote(`*Denied:* ${reason}`)] : [];
  return [...lines, ...why, ...(came === undefined ? [] : [fenced(came)])].join('\n\n');
}

/** In a fence that is longer than every one inside. */
function fenced(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value, undefined, 2) ?? '');
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${typeof value === 'string' ? '' : 'json'}\n${text}\n${fence}`;
}

function quote(text: string): string {
  return text.replace(/^/gm, '> ');
}
