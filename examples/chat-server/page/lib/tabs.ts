import { useEffect } from 'react';

const CHANNEL = 'chats';

/** Tells the other tabs of this browser that something happened in a chat. */
export function tellTabs(sessionId: string): void {
  const channel = new BroadcastChannel(CHANNEL);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel is of one origin and takes none
  channel.postMessage(sessionId);
  channel.close();
}

/** `onChange` when another tab did something, or when the reader comes back to this one. */
export function useOtherTabs(onChange: (sessionId: string | undefined) => void): void {
  useEffect(() => {
    const channel = new BroadcastChannel(CHANNEL);
    channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      if (typeof data === 'string') onChange(data);
    });
    const onVisible = (): void => {
      if (document.visibilityState === 'visible') onChange(undefined);
    };
    document.addEventListener('visibilitychange', onVisible);
    return () => {
      channel.close();
      document.removeEventListener('visibilitychange', onVisible);
    };
  }, [onChange]);
}
