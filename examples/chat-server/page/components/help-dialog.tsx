import { useEffect, useRef } from 'react';
import { SHORTCUTS } from '../lib/shortcuts.js';
import type { Command } from '../lib/use-catalog.js';

const KEYS: readonly (readonly [string, string])[] = [
  ['Enter', 'Send the message; while the model works, queue it'],
  ['Ctrl + Enter', 'Send it to the model that works, with a text in the message box'],
  ['Shift + Enter', 'Start a new line'],
  ['/', 'List commands and skills'],
  ['Ctrl + Enter', 'Approve once, with an empty message box'],
  ['Ctrl + Backspace', 'Reject, with an empty message box'],
  ['Esc', 'Close the dialog, or stop the response'],
  ['Tab, Shift + Tab', 'Move between buttons, cards and chats'],
  ...Object.values(SHORTCUTS).map(({ keys, does }) => [keys, does] as const),
];

interface HelpDialogProps {
  readonly commands: readonly Command[];
  readonly onClose: () => void;
}

export function HelpDialog({ commands, onClose }: HelpDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} className="long" aria-labelledby="help-title" onClose={onClose}>
      <div className="dialog-head">
        <h2 id="help-title">Keyboard shortcuts and commands</h2>
        <button type="button" className="primary" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </div>
      <h3>Keys</h3>
      <dl>
        {KEYS.map(([key, what]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <h3>Commands</h3>
      <dl>
        {commands.map(({ text, description }) => (
          <div key={text}>
            <dt>
              <code>{text}</code>
            </dt>
            <dd>{description}</dd>
          </div>
        ))}
      </dl>
    </dialog>
  );
}
