import { questionOf } from 'responses-loop/question';
import type { ApprovalQuestion } from '../types/index.js';

/** What a tool said, of the several forms that results have. */
export function readable(result: unknown): string {
  if (typeof result === 'string') return result;
  const content: unknown = (result as { content?: unknown } | null)?.content;
  if (typeof content === 'string') return content;
  if (Array.isArray(content)) return content.map((part: { text?: string }) => part.text ?? '').join(' ');
  return JSON.stringify(result) ?? '';
}

/** A question whole: nothing is cut, and what cannot be seen is spelled. */
export function questionLine({ toolName, input }: ApprovalQuestion): string {
  const { head, whole } = questionOf({ tool: toolName, arguments: input });
  return `may ${head} run? ${whole}`;
}
