import { apiErrorOf } from './api.js';
import { ownFetch } from './token.js';

interface StartChunk {
  readonly messageId?: string;
  readonly messageMetadata?: { readonly partsBefore?: number };
}

const FIRST_EVENT = /^data: (?<json>.*)\n(?:id: \d+\n)?\n/m;

/** The message that a turn is writing. */
export interface RunningMessage {
  readonly messageId: string;
  /** How many of its parts were there before the turn, if the server knows. */
  readonly partsBefore?: number | undefined;
}

/** As the first chunk of the stream tells of it. */
export async function runningMessage(sessionId: string): Promise<RunningMessage | undefined> {
  const response = await ownFetch(`/api/chat/${sessionId}/stream`);
  if (response.status === 204 || response.body === null) return undefined;
  if (!response.ok) throw await apiErrorOf(response);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (let read = ''; ;) {
      const { done, value } = await reader.read();
      if (done) return undefined;
      read += value;
      const json = FIRST_EVENT.exec(read)?.groups?.['json'];
      if (json === undefined) continue;
      const { messageId, messageMetadata } = JSON.parse(json) as StartChunk;
      return messageId === undefined ? undefined : { messageId, partsBefore: messageMetadata?.partsBefore };
    }
  } finally {
    await reader.cancel();
  }
}
