import { useSyncExternalStore } from 'react';

/** Whether a question is open on the page. Buttons that somebody is about to press stay where they are. */
export function isSomebodyAsked(): boolean {
  return document.querySelector('.approval, .mcp-app-question, .question') !== null;
}

export function useIsSomebodyAsked(): boolean {
  return useSyncExternalStore(onPageChange, isSomebodyAsked);
}

function onPageChange(listener: () => void): () => void {
  const observer = new MutationObserver(listener);
  observer.observe(document.body, { childList: true, subtree: true });
  return () => observer.disconnect();
}
