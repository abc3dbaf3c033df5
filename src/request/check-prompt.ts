import type { Call } from '../core/call.js';
import type { FileContent, Message } from '../core/message.js';
import type { Profile } from '../core/profile.js';
import { ResponsesLoopError } from '../errors/responses-loop-error.js';

/** Refuses what the back end is known to refuse, saying where it stands, before anything is sent. */
export function checkPrompt({ messages, clientTools }: Pick<Call, 'messages' | 'clientTools'>, profile: Profile): void {
  messages.forEach((message, index) => checkMessage(message, index, profile));
  if (messages.length > 0 && messages.every(isEmpty))
    throw invalid(
      `Message 0 is empty, and so are all others: the back end "${profile.name}" would have nothing to answer.`,
    );
  const nameless = clientTools.findIndex((tool) => tool.name.trim() === '');
  if (nameless >= 0)
    throw invalid(
      `tools[${nameless}] has no name, and "${profile.name}" refuses a request for one such tool. Name it, or leave it out.`,
    );
}

/** Nothing to answer: every server refuses it, each in its own words. */
function isEmpty(message: Message): boolean {
  if (message.role !== 'user' || message.content.length === 0) return false;
  return message.content.every((part) => part.type === 'text' && part.text === '');
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
