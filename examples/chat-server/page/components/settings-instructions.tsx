import { useId, useState } from 'react';

interface SettingsInstructionsProps {
  /** As the server has them. */
  readonly kept: string;
  readonly onSave: (text: string) => Promise<boolean>;
}

const MAX_CHARS = 20_000;

export function SettingsInstructions({ kept, onSave }: SettingsInstructionsProps) {
  const [text, setText] = useState(kept);
  const [isSaved, setIsSaved] = useState(false);
  const hint = useId();
  const title = useId();
  const isChanged = text !== kept;
  return (
    <form
      className="settings-part"
      onSubmit={(event) => {
        event.preventDefault();
        void onSave(text).then(setIsSaved);
      }}
    >
      <h3 id={title}>Instructions for this chat</h3>
      <p id={hint} className="hint">
        The model reads them after its own instructions, starting with your next message.
      </p>
      <textarea
        aria-labelledby={title}
        aria-describedby={hint}
        rows={4}
        maxLength={MAX_CHARS}
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          setIsSaved(false);
        }}
      />
      <div className="row">
        <button type="submit" disabled={!isChanged}>
          Save instructions
        </button>
        <span className="hint" role="status" aria-label="Instructions">
          {isChanged ? 'Not saved yet' : isSaved ? 'Saved' : ''}
        </span>
      </div>
    </form>
  );
}
