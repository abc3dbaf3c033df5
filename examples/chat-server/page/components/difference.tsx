const MOST_LINES = 400;

interface DifferenceProps {
  readonly path: string;
  /** A unified difference, or, of a file that is written whole, its text. */
  readonly text: string;
  readonly isNew?: boolean;
}

export function Difference({ path, text, isNew = false }: DifferenceProps) {
  const lines = text.replace(/\n$/, '').split('\n');
  const shown = lines.slice(0, MOST_LINES);
  return (
    <figure className="block difference">
      <figcaption>{path}</figcaption>
      <pre tabIndex={0}>
        {shown.map((line, at) => (
          <span key={at} className={isNew ? 'added' : kindOf(line)}>
            {isNew ? `+ ${line}\n` : `${line}\n`}
          </span>
        ))}
      </pre>
      {lines.length > MOST_LINES && <p className="hint">… and {lines.length - MOST_LINES} more lines</p>}
    </figure>
  );
}

function kindOf(line: string): string {
  if (line.startsWith('+')) return 'added';
  if (line.startsWith('-')) return 'removed';
  return line.startsWith('@@') ? 'place' : 'same';
}
