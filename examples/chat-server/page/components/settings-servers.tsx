import { spelledLine } from 'responses-loop-example-shared/call-view.js';
import { type FormEvent, useState } from 'react';
import { type ClientIds, type McpServerItem, useMcpServers } from '../lib/use-mcp-servers.js';

interface SettingsServersProps {
  /** The tools of a server may be others. */
  readonly onSignedIn: () => void;
}

const STATES: Readonly<Record<McpServerItem['state'], string>> = {
  ready: 'ready',
  needs_sign_in: 'needs sign-in',
  needs_client: 'needs a client ID',
  not_connected: 'not connected',
};

/** How it stands with MCP servers, for all chats; where to sign in, and out. */
export function SettingsServers({ onSignedIn }: SettingsServersProps) {
  const { items, problem, signOut, giveClient } = useMcpServers(onSignedIn);
  if (items?.length === 0) return null;
  return (
    <section className="settings-part" aria-label="MCP servers">
      <h3>MCP servers</h3>
      {problem !== undefined && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
      {items === undefined && problem === undefined && <p className="hint">Connecting…</p>}
      <ul>
        {items?.map((item) => (
          <li key={item.server} className="grant">
            <span>
              <strong>{spelledLine(item.server)}</strong>{' '}
              <span className={item.state === 'ready' ? 'badge' : 'badge ask'}>{STATES[item.state]}</span>
            </span>
            {item.signIn !== undefined && <SignIn to={item.signIn} />}
            {item.registerWith !== undefined && (
              <ClientForm
                server={spelledLine(item.server)}
                registerWith={item.registerWith}
                onGive={(client) => giveClient(item.server, client)}
              />
            )}
            {item.signIn === undefined && item.isSignedIn && (
              <button
                type="button"
                className="small"
                aria-label={`Sign out of ${spelledLine(item.server)}`}
                onClick={() => signOut(item.server)}
              >
                Sign out
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The page of the service opens in a tab of its own; it comes back to this server. */
function SignIn({ to: { url, host } }: { readonly to: NonNullable<McpServerItem['signIn']> }) {
  const isOpenable = /^https?:/.test(url);
  return isOpenable ? (
    <a className="button small" href={url} target="_blank" rel="noopener noreferrer">
      Sign in at {host}
    </a>
  ) : (
    <span className="hint">Its sign-in page is at {spelledLine(url)}, which no browser should open.</span>
  );
}

interface ClientFormProps {
  readonly server: string;
  readonly registerWith: string;
  readonly onGive: (client: ClientIds) => void;
}

/** For a service that registers nobody by itself. */
function ClientForm({ server, registerWith, onGive }: ClientFormProps) {
  const [id, setId] = useState('');
  const [secret, setSecret] = useState('');
  const give = (event: FormEvent): void => {
    event.preventDefault();
    onGive({ clientId: id.trim(), ...(secret.trim() !== '' && { clientSecret: secret.trim() }) });
    setSecret('');
  };
  return (
    <form className="client-form" aria-label={`Client of ${server}`} onSubmit={give}>
      <p className="hint">
        This service does not register applications by itself. Register one there with the redirect URL{' '}
        <code>{registerWith}</code>, then enter its ID and secret here.
      </p>
      <label>
        Client ID
        <input value={id} maxLength={2000} autoComplete="off" onChange={({ target }) => setId(target.value)} />
      </label>
      <label>
        Client secret (optional)
        <input
          type="password"
          value={secret}
          maxLength={2000}
          autoComplete="off"
          onChange={({ target }) => setSecret(target.value)}
        />
      </label>
      <button type="submit" className="small" disabled={id.trim() === ''}>
        Save
      </button>
    </form>
  );
}
