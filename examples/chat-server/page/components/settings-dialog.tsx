import { useEffect, useRef } from 'react';
import type { ChatPlace } from '../lib/settings.js';
import { useSettings } from '../lib/use-settings.js';
import { SettingsGrants } from './settings-grants.js';
import { SettingsInstructions } from './settings-instructions.js';
import { SettingsServers } from './settings-servers.js';
import { SettingsTheme } from './settings-theme.js';
import { SettingsTools } from './settings-tools.js';
import { Loading } from './loading.js';

interface SettingsDialogProps extends ChatPlace {
  readonly onClose: () => void;
  /** Something of the chat is another on the server. */
  readonly onChanged: () => void;
}

/** Of this browser, and of the chat that is open. Each change is kept at once; the instructions are saved by their button. */
export function SettingsDialog({ sessionId, isNew, onClose, onChanged }: SettingsDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const settings = useSettings({ sessionId, isNew }, onChanged);
  return (
    <dialog ref={dialog} className="long settings" aria-labelledby="settings-title" onClose={onClose}>
      <div className="dialog-head">
        <h2 id="settings-title">Settings</h2>
        <button type="button" className="primary" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </div>
      {settings.problem !== undefined && (
        <p className="problem" role="alert">
          {settings.problem}
        </p>
      )}
      <SettingsTheme />
      <SettingsServers onSignedIn={settings.listTools} />
      {settings.chat === undefined ? (
        <Loading />
      ) : (
        <>
          <SettingsInstructions kept={settings.chat.instructions} onSave={settings.saveInstructions} />
          <SettingsGrants grants={settings.grants} onRemove={settings.removeGrant} />
          <SettingsTools tools={settings.tools} off={settings.chat.off} onSwitch={settings.switchTool} />
        </>
      )}
    </dialog>
  );
}
