import { spelledLine } from 'responses-loop-example-shared/call-view.js';
import { type McpServerItem, useMcpServers } from '../lib/use-mcp-servers.js';

interface SettingsServersProps {
  /** The tools of a server may be others. */
  readonly onSignedIn: () => void;
}

const STATES: Readonly<Record<McpServerItem['state'], string>> = {
  ready: 'ready',
  needs_sign_in: 'needs sign-in',
  not_connected: 'not connected',
};

/** How it stands with MCP servers, for all chats; where to sign in, and out. */
export function SettingsServers({ onSignedIn }: SettingsServersProps) {
  const { items, problem, signOut } = useMcpServers(onSignedIn);
  if (items?.length === 0) return null;
  return (
    <section className="settings-part" aria-label="MCP servers">
      <h3>MCP servers</h3>
      {problem !== undefined && <p className="problem">{problem}</p>}
      {items === undefined && problem === undefined && <p className="hint">Connecting…</p>}
      <ul>
        {items?.map((item) => (
          <li key={item.server} className="grant">
            <span>
              <strong>{spelledLine(item.server)}</strong>{' '}
              <span className={item.state === 'ready' ? 'badge' : 'badge ask'}>{STATES[item.state]}</span>
            </span>
            {item.signIn !== undefined && <SignIn to={item.signIn} />}
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
