import { apiErrorOf } from './api.js';
import { saveFile } from './save-file.js';
import { ownFetch } from './token.js';

export type ExportFormat = 'markdown' | 'json';

/** Has the browser save a chat. A link could not: it would not send the token. */
export async function exportChat(sessionId: string, format: ExportFormat): Promise<void> {
  const response = await ownFetch(`/api/sessions/${sessionId}/export?format=${format}`);
  if (!response.ok) throw await apiErrorOf(response);
  saveFile(await response.blob(), nameIn(response.headers.get('content-disposition') ?? ''));
}

function nameIn(disposition: string): string {
  return decodeURIComponent(/filename\*=UTF-8''(?<name>[^;]*)/.exec(disposition)?.groups?.['name'] ?? 'chat');
}
