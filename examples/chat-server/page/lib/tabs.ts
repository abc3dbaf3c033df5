import { useEffect } from 'react';

/** One for the whole page: a channel does not hear itself, but it hears every other one, also of its own page. */
const channel = new BroadcastChannel('chats');

/** Tells the other tabs of this browser that something happened in a chat. */
export function tellTabs(sessionId: string): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel is of one origin and takes none
  channel.postMessage(sessionId);
}

/** `onChange` when another tab did something, or when the reader comes back to this one. */
export function useOtherTabs(onChange: (sessionId: string | undefined) => void): void {
  useEffect(() => {
    const onMessage = ({ data }: MessageEvent<unknown>): void => {
      if (typeof data === 'string') onChange(data);
    };
    const onVisible = (): void => {
      if (document.visibilityState === 'visible') onChange(undefined);
    };
    channel.addEventListener('message', onMessage);
    document.addEventListener('visibilitychange', onVisible);
    return () => {
      channel.removeEventListener('message', onMessage);
      document.removeEventListener('visibilitychange', onVisible);
    };
  }, [onChange]);
}
