import type { FileUIPart } from 'ai';
import { type KeyboardEvent, useCallback, useRef, useState } from 'react';
import type { ChatMessage, ChatPart, QueuedItem, WhileRunning } from '../../src/types.js';
import { ACCEPTED, attach } from '../lib/attachments.js';
import { answerByKeys } from '../lib/answer-keys.js';
import { unknownCommand } from '../lib/commands.js';
import { refusalOf } from '../lib/model-refusal.js';
import { MESSAGE_BOX } from '../lib/message-box.js';
import { useOfferedText } from '../lib/offered-text.js';
import type { Catalog } from '../lib/use-catalog.js';
import { useSuggestions } from '../lib/use-suggestions.js';
import { Icon } from './icon.js';
import { ModelPicker } from './model-picker.js';
import { ModelRefusal } from './model-refusal.js';
import { type QueueActions, QueuedMessages } from './queued-messages.js';

interface ComposerProps {
  readonly catalog: Catalog;
  /** What the model gets before the new message. */
  readonly messages: readonly ChatMessage[];
  readonly isWorking: boolean;
  readonly statusText: string;
  /** Whether it was taken; if not, it stays in the box. `whileRunning`: a turn runs. */
  readonly onSend: (parts: ChatPart[], whileRunning?: WhileRunning) => Promise<boolean>;
  readonly queued: readonly QueuedItem[];
  readonly queueActions: QueueActions;
  readonly onStop: () => void;
  readonly onHelp: () => void;
}

export function Composer({
  catalog,
  messages,
  isWorking,
  statusText,
  queued,
  queueActions,
  onSend,
  onStop,
  onHelp,
}: ComposerProps) {
  const [draft, setDraft] = useState('');
  const [files, setFiles] = useState<readonly FileUIPart[]>([]);
  const [problem, setProblem] = useState<string>();
  const box = useRef<HTMLTextAreaElement>(null);
  const suggestions = useSuggestions(draft, catalog.commands, setDraft);
  useOfferedText(useCallback((text) => setDraft((now) => (now === '' ? text : `${now}\n${text}`)), []));
  const isEmpty = draft.trim() === '' && files.length === 0;
  const refusal = refusalOf(catalog, { files, messages });

  const send = (whileRunning: WhileRunning = 'queue'): void => {
    if (isEmpty || refusal !== undefined) return;
    const unknown = unknownCommand(draft, catalog.commands);
    if (unknown !== undefined) {
      setProblem(`Unknown command ${unknown}. Type / for a list, or put a space before it to send it as text.`);
      return;
    }
    const text: ChatPart[] = draft.trim() === '' ? [] : [{ type: 'text', text: draft.trim() }];
    const [sentDraft, sentFiles] = [draft, files];
    setDraft('');
    setFiles([]);
    setProblem(undefined);
    box.current?.focus();
    void onSend([...text, ...files], isWorking ? whileRunning : undefined).then((isSent) => {
      if (isSent) return;
      // What was not taken comes before what was written meanwhile.
      setDraft((now) => [sentDraft, now].filter((each) => each !== '').join('\n'));
      setFiles((now) => [...sentFiles, ...now]);
    });
  };
  const add = async (given: Iterable<File>): Promise<void> => {
    const { parts, problem: found } = await attach(files, [...given]);
    setFiles(parts);
    setProblem(found);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing || suggestions.onKey(event)) return;
    if (isEmpty && answerByKeys(event)) return;
    if (event.key === 'Escape' && isWorking) onStop();
    if (event.key !== 'Enter' || event.shiftKey) return;
    event.preventDefault();
    send(event.ctrlKey || event.metaKey ? 'steer' : 'queue');
  };

  return (
    <>
      <QueuedMessages items={queued} isWorking={isWorking} actions={queueActions} onGone={() => box.current?.focus()} />
      <form
        className="composer"
        aria-label="New message"
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault();
          void add(event.dataTransfer.files);
        }}
      >
        <SuggestionList {...suggestions} />
        {files.length > 0 && (
          <ul className="files" aria-label="Attached files">
            {files.map(({ filename, url }) => (
              <li key={url.slice(0, 200) + (filename ?? '')}>
                <Icon name="clip" /> {filename}
                <button
                  type="button"
                  className="icon"
                  aria-label={`Remove ${filename ?? 'file'}`}
                  onClick={() => setFiles((all) => all.filter((file) => file.url !== url))}
                >
                  <Icon name="close" />
                </button>
              </li>
            ))}
          </ul>
        )}
        {problem !== undefined && (
          <p className="problem" role="alert">
            {problem}
          </p>
        )}
        <ModelRefusal refusal={refusal} />
        <textarea
          ref={box}
          id={MESSAGE_BOX}
          aria-label="Message"
          aria-autocomplete="list"
          aria-controls={suggestions.items.length > 0 ? 'suggestions' : undefined}
          aria-activedescendant={suggestions.items.length > 0 ? `suggestion-${suggestions.active}` : undefined}
          placeholder="Ask anything, or type / for commands"
          rows={1}
          value={draft}
          autoFocus
          onChange={({ target }) => setDraft(target.value)}
          onKeyDown={onKeyDown}
          onPaste={(event) => {
            if (event.clipboardData.files.length === 0) return;
            event.preventDefault();
            void add(event.clipboardData.files);
          }}
        />
        <div className="composer-foot">
          <label className="icon attach" title="Attach images, PDF, text, Word or Excel files">
            <Icon name="clip" />
            <input
              type="file"
              multiple
              accept={ACCEPTED}
              aria-label="Attach files"
              onChange={({ target }) => {
                void add(target.files ?? []);
                target.value = '';
              }}
            />
          </label>
          <button
            type="button"
            className="icon"
            aria-label="Help"
            title="Keyboard shortcuts and commands"
            onClick={onHelp}
          >
            <Icon name="help" />
          </button>
          <ModelPicker catalog={catalog} />
          <span className="spring" />
          <span role="status" className={`status ${statusText.replaceAll(' ', '-')}`}>
            {statusText}
          </span>
          {isWorking && !isEmpty && (
            <>
              <button
                type="button"
                className="small"
                title="The model reads it at its next step (Ctrl + Enter)"
                aria-keyshortcuts="Control+Enter"
                onClick={() => send('steer')}
              >
                Steer
              </button>
              <button type="submit" className="small" title="Send when the response has ended (Enter)">
                Queue
              </button>
            </>
          )}
          {isWorking ? (
            <button type="button" className="round stop" aria-label="Stop" title="Stop (Esc)" onClick={onStop}>
              <Icon name="stop" />
            </button>
          ) : (
            <button
              type="submit"
              className="round send"
              aria-label="Send"
              title="Send (Enter)"
              disabled={isEmpty || refusal !== undefined}
            >
              <Icon name="up" />
            </button>
          )}
        </div>
      </form>
    </>
  );
}

function SuggestionList({ items, active, choose }: ReturnType<typeof useSuggestions>) {
  if (items.length === 0) return null;
  return (
    <ul className="suggestions" id="suggestions" role="listbox" aria-label="Commands and skills">
      {items.map((item, at) => (
        <li
          key={item.text}
          id={`suggestion-${at}`}
          role="option"
          aria-selected={at === active}
          onMouseDown={(event) => {
            event.preventDefault();
            choose(item);
          }}
        >
          <code>{item.text}</code> <span>{item.description}</span>
        </li>
      ))}
    </ul>
  );
}
