import { useState } from 'react';

interface MessageEditorProps {
  readonly text: string;
  readonly onSend: (text: string) => void;
  readonly onCancel: () => void;
}

/** Another version of what was said. The old one stays, on its own branch. */
export function MessageEditor({ text, onSend, onCancel }: MessageEditorProps) {
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
        aria-label="Edit message"
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
          Send edit
        </button>
      </div>
    </form>
  );
}
