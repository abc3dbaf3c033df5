import { createScriptedServer, responseEvents, type ScriptedServer } from 'responses-loop/testing';

const STORY = 'Once upon a time there was a duck that wrote down everything it saw. ';
const WORD_MS = 40;
const PIECE_MS = 1000;

/** Starts a server that answers in place of a model, by rules: it lists notes, adds one, or tells a long story. */
export function startStandIn(): Promise<ScriptedServer> {
  return createScriptedServer({
    otherwise: ({ input, index }) => {
      const id = `resp_${index}`;
      const last = input.at(-1);
      if (last?.['type'] === 'function_call_output') return `The tool answered: ${textOf(last['output'])}`;
      const words = textOf(last?.['content']);
      if (/story/i.test(words)) {
        const text = STORY.repeat(40).split(/(?<= )/);
        return { events: responseEvents({ id, output: [{ type: 'text', text }] }), delayMs: WORD_MS };
      }
      const [, note] = /^add (.+)$/is.exec(words) ?? [];
      if (note !== undefined) {
        const events = responseEvents({ id, output: [{ type: 'call', name: 'addNote', arguments: { text: note } }] });
        return note === 'slowly' ? { events, delayMs: PIECE_MS } : events;
      }
      if (/list|note/i.test(words)) return { output: [{ type: 'call', name: 'listNotes', arguments: {} }] };
      return 'I am the demo model, a script. Try: "list my notes", "add Call Ada", or "tell me a story".';
    },
  });
}

/** Reads a content, or an output, in each of the forms that a request may have. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  const parts: unknown[] = Array.isArray(content) ? content : [];
  return parts.map((part) => (part as { text?: string }).text ?? '').join('');
}
