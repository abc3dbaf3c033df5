import type { KeptCall, KeptContent, KeptEntry, KeptMessage, KeptOutput, KeptTool } from '../core/kept-round.js';
import { defined } from '../util/defined.js';

/** Returns the options of `doStream` for a recorded call, in words that models of V2, V3 and V4 understand. */
export function callOptions(call: KeptCall, signal: AbortSignal | undefined): object {
  const { messages, clientTools, toolChoice, settings, responseFormat, options } = call;
  const choice = toolChoice.type === 'tool' ? { type: 'tool', toolName: toolChoice.name } : toolChoice;
  return {
    ...settings,
    prompt: messages.flatMap(toMessages),
    tools: clientTools.map(toFunction),
    toolChoice: choice,
    responseFormat,
    providerOptions: { openai: options },
    ...defined({ abortSignal: signal }),
  };
}

function toFunction({ name, description, inputSchema, strict }: KeptTool): object {
  return { type: 'function', name, inputSchema, ...defined({ description, strict }) };
}

function toMessages(message: KeptMessage): object[] {
  if (message.role === 'system') return [{ role: 'system', content: message.text }];
  if (message.role === 'user') return [{ role: 'user', content: message.content.map(toUserPart) }];
  return toTurns(message.content);
}

/** Writes outputs behind the calls of their round, and the model's later content into a separate message. */
function toTurns(entries: readonly KeptEntry[]): object[] {
  const messages: { readonly role: string; readonly content: object[] }[] = [];
  let said: object[] = [];
  let results: object[] = [];
  const close = (): void => {
    if (said.length > 0) messages.push({ role: 'assistant', content: said });
    if (results.length > 0) messages.push({ role: 'tool', content: results });
    said = [];
    results = [];
  };
  for (const entry of entries) {
    if (entry.type === 'text') {
      if (results.length > 0) close();
      said.push({ type: 'text', text: entry.text });
    } else if (entry.type === 'call') {
      const { callId: toolCallId, name: toolName, arguments: input, output } = entry;
      said.push({ type: 'tool-call', toolCallId, toolName, input });
      if (output !== undefined)
        results.push({ type: 'tool-result', toolCallId, toolName, output: toSdkOutput(output) });
    }
  }
  close();
  return messages;
}

/** Returns an output in the AI SDK's form, for a prompt or as a result of `toModelOutput`. */
export function toSdkOutput({ isError, content }: KeptOutput): object {
  const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  if (isError === true) return { type: 'error-text', value: texts.join('\n') };
  const [only] = content;
  if (content.length === 1 && only?.type === 'text') return { type: 'text', value: only.text };
  return { type: 'content', value: content.map(toResultPart) };
}

function toUserPart(part: KeptContent): object {
  if (part.type === 'text') return { type: 'text', text: part.text };
  const { mediaType, source, filename, detail } = part;
  const data = source.type === 'url' ? new URL(source.url) : source.type === 'id' ? source.id : source.base64;
  const options = detail === undefined ? {} : { providerOptions: { openai: { imageDetail: detail } } };
  return { type: 'file', mediaType, data, ...defined({ filename }), ...options };
}

function toResultPart(part: KeptContent): object {
  if (part.type === 'text') return { type: 'text', text: part.text };
  const { mediaType, source, filename } = part;
  const place =
    source.type === 'id'
      ? { type: 'file-id', fileId: source.id }
      : source.type === 'url'
        ? { type: 'file-url', url: source.url }
        : { type: 'media', data: source.base64 };
  return { ...place, mediaType, ...defined({ filename }) };
}
