import type { Call } from '../core/call.js';
import type { FileContent, Message } from '../core/message.js';
import type { Profile } from '../core/profile.js';
import { ResponsesLoopError } from '../errors/responses-loop-error.js';

/** Refuses what the back end is known to refuse, saying where it stands, before anything is sent. */
export function checkPrompt({ messages, clientTools }: Pick<Call, 'messages' | 'clientTools'>, profile: Profile): void {
  messages.forEach((message, index) => checkMessage(message, index, profile));
  const nameless = clientTools.findIndex((tool) => tool.name.trim() === '');
  if (nameless >= 0)
    throw invalid(
      `tools[${nameless}] has no name, and "${profile.name}" refuses a request for one such tool. Name it, or leave it out.`,
    );
}

function checkMessage(message: Message, index: number, profile: Profile): void {
  if (message.role !== 'user') return;
  message.content.forEach((part, place) => {
    const problem = part.type === 'file' ? problemOf(part, profile) : undefined;
    if (problem !== undefined)
      throw invalid(`Message ${index}, part ${place}: ${part.type === 'file' ? part.mediaType : ''} ${problem}`);
  });
}

function problemOf(file: FileContent, profile: Profile): string | undefined {
  const isImage = file.mediaType === 'image' || file.mediaType.startsWith('image/');
  if (!isImage && !profile.inputFiles)
    return `cannot be sent: the back end "${profile.name}" takes no files but images. Send its text instead.`;
  if (file.source.type === 'url' && !profile.inputUrls)
    return `cannot be sent as a URL: the back end "${profile.name}" fetches nothing. Send the data itself.`;
  return undefined;
}

function invalid(message: string): ResponsesLoopError {
  return new ResponsesLoopError({ code: 'invalid-prompt', message });
}
