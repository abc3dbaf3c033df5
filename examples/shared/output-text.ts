/**
 * The text of a message or a tool's output in a Responses request: a string, a list of text parts, or a JSON object with
 * its text under `content`, as some MCP servers structure it.
 */
export function outputText(value: unknown): string {
  if (Array.isArray(value)) return value.map((part: { text?: string }) => part.text ?? '').join('');
  if (typeof value !== 'string') return '';
  try {
    const { content } = JSON.parse(value) as { content?: unknown };
    return typeof content === 'string' ? content : value;
  } catch {
    return value;
  }
}
