import { spelledLine } from 'responses-loop-example-shared/call-view.js';
import type { Grant } from '../../src/types.js';
import type { GrantItem } from '../lib/settings.js';
import { Loading } from './loading.js';

interface SettingsGrantsProps {
  readonly grants: readonly GrantItem[] | undefined;
  readonly onRemove: (grant: GrantItem) => void;
}

/** What was answered with "Always in this chat", each whole. */
export function SettingsGrants({ grants, onRemove }: SettingsGrantsProps) {
  return (
    <section className="settings-part" aria-label="Always allowed">
      <h3>Always allowed in this chat</h3>
      {grants === undefined && <Loading />}
      {grants?.length === 0 && <p className="hint">Nothing. “Always in this chat” in a question adds to this list.</p>}
      <ul>
        {grants?.map((grant) => (
          <li key={grant.id} className="grant">
            <span>
              {kindOf(grant)} <code>{coveredBy(grant)}</code>
            </span>
            <button
              type="button"
              className="small"
              aria-label={`Take back ${kindOf(grant)} ${coveredBy(grant)}`}
              onClick={() => onRemove(grant)}
            >
              Take back
            </button>
          </li>
        ))}
      </ul>
      {grants?.some(({ kind }) => kind === 'command') === true && (
        <p className="hint">
          <code>{'<text>'}</code>, <code>{'<paths>'}</code> and <code>{'<names>'}</code> mark what may differ.
        </p>
      )}
    </section>
  );
}

function kindOf(grant: Grant): string {
  if (grant.kind === 'command') return 'Command';
  if (grant.kind === 'web') return 'Web pages of';
  if (grant.kind === 'browser') return 'In the browser, at';
  return grant.kind === 'tool' ? 'Tool' : `Tool of the MCP server ${spelledLine(grant.server)}:`;
}

function coveredBy(grant: Grant): string {
  if (grant.kind === 'web') return spelledLine(grant.host);
  if (grant.kind === 'browser') return spelledLine(grant.origin);
  return spelledLine(grant.kind === 'command' ? grant.rule : grant.tool);
}
