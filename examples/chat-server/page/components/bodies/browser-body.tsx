import { asObject, stringIn } from '../../lib/parts.js';
import type { ToolBodyProps } from '../../lib/tool-bodies.js';

/** Where a step in the browser led, what was refused, and what the model read. Its picture stands below the card. */
export default function BrowserBody({ part }: ToolBodyProps) {
  const { output } = part;
  const { notes } = asObject(output);
  const content = stringIn(output, 'content');
  const noPicture = stringIn(output, 'noPicture');
  return (
    <>
      <p className="browser-place">
        <strong>{stringIn(output, 'title')}</strong> <code>{stringIn(output, 'url')}</code>
      </p>
      {Array.isArray(notes) && (
        <ul aria-label="Notes">
          {notes.map((note, at) => (
            <li key={at}>{String(note)}</li>
          ))}
        </ul>
      )}
      {noPicture !== undefined && <p className="problem">No picture: {noPicture}</p>}
      {content !== undefined && (
        <figure className="block">
          <figcaption>What the model read</figcaption>
          <pre tabIndex={0}>{content === '' ? '(nothing)' : content}</pre>
        </figure>
      )}
    </>
  );
}
