import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import type { ChatPart } from '../../src/types.js';
import { MessageQueue, type QueuedMessage } from './message-queue.js';

export interface Queue {
  readonly items: readonly QueuedMessage[];
  readonly add: (parts: readonly ChatPart[]) => void;
  readonly take: (id: string) => QueuedMessage | undefined;
  /** Sends it in place of waiting. */
  readonly sendNow: (id: string) => void;
}

/**
 * @param isNext whether the next message can be sent: no turn runs, and the last one ended well.
 * @param send resolves to whether the message was sent.
 */
export function useQueue(
  sessionId: string,
  { isNext, send }: { readonly isNext: boolean; readonly send: (parts: ChatPart[]) => Promise<boolean> },
): Queue {
  const queue = useMemo(() => new MessageQueue(sessionId), [sessionId]);
  const items = useSyncExternalStore(queue.subscribe, queue.items);
  // A message that was refused waits for the person: it would be refused again.
  const [refusedId, setRefusedId] = useState<string>();
  const [first] = items;
  const sendNow = useCallback(
    (id: string) => {
      const message = queue.take(id);
      if (message === undefined) return;
      void send([...message.parts]).then((isSent) => {
        if (isSent) return;
        setRefusedId(message.id);
        queue.putBack(message);
      });
    },
    [queue, send],
  );
  useEffect(() => {
    if (isNext && first !== undefined && first.id !== refusedId) sendNow(first.id);
  }, [isNext, first, refusedId, sendNow]);
  return { items, add: (parts) => queue.add(parts), take: (id) => queue.take(id), sendNow };
}
