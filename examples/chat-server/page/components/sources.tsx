import type { ChatPart } from '../../src/types.js';
import { sourcesOf } from '../lib/sources.js';

/** Pages that an answer is drawn from. The whole address shows with the pointer or the focus on it. */
export function Sources({ parts }: { readonly parts: readonly ChatPart[] }) {
  const sources = sourcesOf(parts);
  if (sources.length === 0) return null;
  return (
    <ul className="sources" aria-label="Sources">
      {sources.map(({ url, title, host }) => (
        <li key={url}>
          <a href={url} target="_blank" rel="noopener noreferrer">
            <span className="source-title">{title}</span>
            <span className="source-host">{host}</span>
            <span className="source-url">{url}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}
