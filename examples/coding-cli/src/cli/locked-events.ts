import type { CoderEvent, EventMessage } from '../protocol/events.js';
import type { SessionLockedError } from '../rollout/lock.js';
import { writeJson } from './say.js';

/** A program that reads events is told in events, too, how it ended. */
export function printLocked({ message }: SessionLockedError): void {
  const messages: EventMessage[] = [
    { type: 'error', data: { code: 'session_locked', message, retryable: true } },
    { type: 'shutdown_complete', data: {} },
  ];
  for (const [index, msg] of messages.entries()) {
    writeJson({ id: '', seq: index + 1, timestamp: new Date().toISOString(), msg } satisfies CoderEvent);
  }
}
