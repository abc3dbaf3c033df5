import type { ResponseDescription, ScriptedRequest } from 'responses-loop/testing';

/** Stands here until the real one is merged. */
export function demoBrain({ input }: ScriptedRequest): ResponseDescription {
  const last = input.at(-1);
  const content = typeof last?.['content'] === 'string' ? last['content'] : JSON.stringify(last);
  const [, command] = /\brun (.*)/.exec(content) ?? [];
  if (command !== undefined && last?.['role'] === 'user') {
    return { output: [{ type: 'call', name: 'bash', arguments: { command: command.replace(/"\}\]$/, '') } }] };
  }
  return { output: [{ type: 'text', text: `I heard: ${content.slice(0, 200)}`.match(/\S+\s*|\s+/g) ?? [''] }] };
}
