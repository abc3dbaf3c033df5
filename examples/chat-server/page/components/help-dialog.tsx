import { useEffect, useRef } from 'react';
import type { Command } from '../lib/use-catalog.js';

const KEYS: readonly (readonly [string, string])[] = [
  ['Enter', 'sends the message'],
  ['Shift + Enter', 'begins a new line'],
  ['/', 'lists commands and skills'],
  ['Esc', 'closes what is open; in the message, stops the turn'],
  ['Tab, Shift + Tab', 'goes to every button, card and chat'],
];

interface HelpDialogProps {
  readonly commands: readonly Command[];
  readonly onClose: () => void;
}

export function HelpDialog({ commands, onClose }: HelpDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} aria-labelledby="help-title" onClose={onClose}>
      <h2 id="help-title">What can be done here</h2>
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
      <h3>At the beginning of a message</h3>
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
      <div className="row end">
        <button type="button" className="primary" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </div>
    </dialog>
  );
}
