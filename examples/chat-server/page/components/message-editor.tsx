import { useState } from 'react';

interface MessageEditorProps {
  readonly text: string;
  readonly onSend: (text: string) => void;
  readonly onCancel: () => void;
  /** What the editor and its button are called. */
  readonly names?: { readonly box: string; readonly submit: string };
}

const NAMES = { box: 'Edit message', submit: 'Send edit' };

/** Another text for a message. */
export function MessageEditor({ text, onSend, onCancel, names = NAMES }: MessageEditorProps) {
  const [draft, setDraft] = useState(text);
  const isEmpty = draft.trim() === '';
  return (
    <form
      className="editor"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isEmpty) onSend(draft.trim());
      }}
    >
      <textarea
        aria-label={names.box}
        value={draft}
        autoFocus
        rows={3}
        onChange={({ target }) => setDraft(target.value)}
        onFocus={({ target }) => target.setSelectionRange(draft.length, draft.length)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onCancel();
          if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) {
            event.preventDefault();
            event.currentTarget.form?.requestSubmit();
          }
        }}
      />
      <div className="row end">
        <button type="button" onClick={onCancel}>
          Cancel
        </button>
        <button type="submit" className="primary" disabled={isEmpty}>
          {names.submit}
        </button>
      </div>
    </form>
  );
}
