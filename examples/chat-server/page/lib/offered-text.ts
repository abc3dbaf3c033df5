import { useEffect } from 'react';

type Take = (text: string) => void;

const takers = new Set<Take>();

/** Puts a text into the message box, behind what is there. It is not sent. Returns whether there is a box. */
export function offerText(text: string): boolean {
  for (const take of takers) take(text);
  return takers.size > 0;
}

/** For the message box. */
export function useOfferedText(take: Take): void {
  useEffect(() => {
    takers.add(take);
    return () => void takers.delete(take);
  }, [take]);
}
