import { useId } from 'react';
import type { SwitchedOff } from '../../src/types.js';
import { groupTools, isSwitchedOff, type ServerTools, type ToolItem } from '../lib/settings.js';
import { Loading } from './loading.js';

interface SettingsToolsProps {
  /** Absent until the server has listed them. */
  readonly tools: readonly ToolItem[] | undefined;
  readonly off: readonly SwitchedOff[];
  readonly onSwitch: (tool: SwitchedOff, isOn: boolean) => void;
}

type Switches = Omit<SettingsToolsProps, 'tools'>;

/** What the model may use in this chat. The server keeps to it, in sub-agents too. */
export function SettingsTools({ tools, ...switches }: SettingsToolsProps) {
  const { own, servers } = groupTools(tools ?? [], switches.off);
  return (
    <section className="settings-part" aria-label="Tools">
      <h3>Tools</h3>
      <p className="hint">Off in this chat: not offered to the model, and never run, in sub-agents too.</p>
      {tools === undefined && <Loading />}
      <ToolList items={own} {...switches} />
      {servers.map((server) => (
        <ServerSwitch key={server.server} of={server} {...switches} />
      ))}
    </section>
  );
}

function ServerSwitch({ of: { server, tools }, ...switches }: Switches & { readonly of: ServerTools }) {
  const whole: SwitchedOff = { kind: 'server', server };
  const isOn = !isSwitchedOff(switches.off, whole);
  return (
    <div className="settings-server" role="group" aria-label={`MCP server ${server}`}>
      <label className="choice">
        <input
          type="checkbox"
          role="switch"
          checked={isOn}
          onChange={({ target }) => switches.onSwitch(whole, target.checked)}
        />
        <strong>{server}</strong>
        <span className="hint">MCP server</span>
      </label>
      {isOn && tools.length > 0 && (
        <details>
          <summary>{tools.length === 1 ? '1 tool' : `${tools.length} tools`}</summary>
          <ToolList items={tools} {...switches} />
        </details>
      )}
    </div>
  );
}

function ToolList({ items, ...switches }: Switches & { readonly items: readonly ToolItem[] }) {
  return (
    <ul>
      {items.map((item) => (
        <ToolSwitch key={item.id} item={item} {...switches} />
      ))}
    </ul>
  );
}

function ToolSwitch({
  item: { id, tool, description, missing },
  off,
  onSwitch,
}: Switches & { readonly item: ToolItem }) {
  const hint = useId();
  const text = missing ?? description;
  return (
    <li>
      <label className="choice">
        <input
          type="checkbox"
          role="switch"
          checked={missing === undefined && !isSwitchedOff(off, tool)}
          disabled={missing !== undefined}
          aria-describedby={text === undefined ? undefined : hint}
          onChange={({ target }) => onSwitch(tool, target.checked)}
        />
        <code>{id}</code>
      </label>
      {text !== undefined && (
        <p id={hint} className="hint">
          {text}
        </p>
      )}
    </li>
  );
}
