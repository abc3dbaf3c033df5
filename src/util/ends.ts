import { clip, clipStart } from './excerpt.js';

const GAP = '\n[…]\n';

/** The beginning and the end of a text that comes in pieces and may be without end. */
export interface Ends {
  readonly add: (text: string) => void;
  readonly read: () => string;
}

/** Keeps `chars` characters of each end. */
export function keepEnds(chars: number): Ends {
  let head = '';
  let tail = '';
  let isCut = false;
  return {
    add: (text) => {
      const room = chars - head.length;
      head += text.slice(0, room);
      const rest = tail + text.slice(room);
      isCut ||= rest.length > chars;
      tail = rest.slice(Math.max(0, rest.length - chars));
    },
    read: () => (isCut ? head + GAP + tail : head + tail).trim(),
  };
}

/** A text of which at most `chars` characters of each end are left. */
export function cutEnds(text: string, chars: number): string {
  return text.length <= 2 * chars ? text : `${clip(text, chars)}${GAP}${clipStart(text, chars)}`;
}
