import { useEffect, useRef } from 'react';
import { ChatSession, type ChatSessionOptions } from './chat-session.js';
import type { Place } from './router.js';
import { tellTabs } from './tabs.js';

/** The chat of this place. A chat whose turn runs is kept while another is looked at: the turn has a listener, and goes on. */
export function useChatSession(
  { sessionId, isNew }: Place,
  { choice, onChange }: Pick<ChatSessionOptions, 'choice' | 'onChange'>,
): ChatSession {
  const kept = useRef(new Map<string, ChatSession>());
  let session = kept.current.get(sessionId);
  if (session === undefined) {
    const onAny = (id: string): void => {
      tellTabs(id);
      onChange(id);
    };
    session = new ChatSession({ id: sessionId, isNew, choice, onChange: onAny });
    kept.current.set(sessionId, session);
  }
  useEffect(() => {
    const all = kept.current;
    return () => {
      if (all.get(sessionId)?.isWorking === false) all.delete(sessionId);
    };
  }, [sessionId]);
  return session;
}
