import type { About } from '../../src/routes/catalog.js';
import type { Starter } from '../lib/starters.js';

/** An empty chat: where it works, what it may do, and who answers. */
export function Welcome({ about }: { readonly about: About | undefined }) {
  return (
    <div className="welcome">
      <h2>What are we working on?</h2>
      {about && (
        <>
          <p>
            {about.isDemo ? 'The demo model' : 'The model'} works in <code>{about.folder}</code>. It can read files on
            its own and asks you before it changes anything or runs a command.
          </p>
          <dl>
            <Fact name="Mode" value={`Asks before changes · ${about.isSandboxed ? 'sandbox' : 'no sandbox'}`} />
            <Fact name="Model" value={about.model} />
          </dl>
        </>
      )}
    </div>
  );
}

function Fact({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

interface StarterListProps {
  readonly starters: readonly Starter[];
  readonly onStart: (text: string) => void;
}

export function StarterList({ starters, onStart }: StarterListProps) {
  return (
    <ul className="starters" aria-label="Suggestions">
      {starters.map(({ title, hint, text }) => (
        <li key={title}>
          <button type="button" onClick={() => onStart(text)}>
            <strong>{title}</strong> <span>{hint}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
