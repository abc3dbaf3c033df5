import { refusalOf } from './api.js';
import { ownFetch } from './token.js';

const FIRST_EVENT = /^data: (?<json>.*)\n\n/m;

/** The id of the message that a turn is writing in this chat, as the first chunk of its stream says it. */
export async function runningMessage(sessionId: string): Promise<string | undefined> {
  const response = await ownFetch(`/api/chat/${sessionId}/stream`);
  if (response.status === 204 || response.body === null) return undefined;
  if (!response.ok) throw await refusalOf(response);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (let read = ''; ;) {
      const { done, value } = await reader.read();
      if (done) return undefined;
      read += value;
      const json = FIRST_EVENT.exec(read)?.groups?.['json'];
      if (json !== undefined) return (JSON.parse(json) as { readonly messageId?: string }).messageId;
    }
  } finally {
    await reader.cancel();
  }
}
