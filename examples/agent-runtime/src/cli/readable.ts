/** What a tool said, of the several forms that results have. */
export function readable(result: unknown): string {
  if (typeof result === 'string') return result;
  const content: unknown = (result as { content?: unknown } | null)?.content;
  if (typeof content === 'string') return content;
  if (Array.isArray(content)) return content.map((part: { text?: string }) => part.text ?? '').join(' ');
  return JSON.stringify(result) ?? '';
}
