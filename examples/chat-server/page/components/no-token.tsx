import { type FormEvent, useState } from 'react';
import { takePasted } from '../lib/token.js';

/** A tab without the token, or with one that the server does not take. */
export function NoToken({ wasRefused = false }: { readonly wasRefused?: boolean }) {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState(wasRefused ? 'The server did not accept the token of this tab.' : undefined);
  const enter = (event: FormEvent): void => {
    event.preventDefault();
    const wrong = takePasted(text);
    setProblem(wrong);
    if (wrong === undefined) location.reload();
  };
  return (
    <main className="alone">
      <h1>Sign-in link required</h1>
      <p>
        Open the link that <code>chat-server</code> printed when it started (it ends in <code>#token=…</code>). Each tab
        needs it once.
      </p>
      <form onSubmit={enter}>
        <label htmlFor="token">Or paste the link or the token here</label>
        <input
          id="token"
          value={text}
          onChange={({ target }) => setText(target.value)}
          autoComplete="off"
          spellCheck={false}
          autoFocus
        />
        <button type="submit" className="primary" disabled={text.trim() === ''}>
          Open
        </button>
      </form>
      {problem !== undefined && <p role="alert">{problem}</p>}
    </main>
  );
}
