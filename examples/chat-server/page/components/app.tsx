import { lazy, Suspense, useCallback, useEffect, useMemo, useState } from 'react';
import { toMessageBox } from '../lib/message-box.js';
import { useShortcuts } from '../lib/shortcuts.js';
import { useCatalog } from '../lib/use-catalog.js';
import { useChatSession } from '../lib/use-chat-session.js';
import { usePlace } from '../lib/router.js';
import { useSessions } from '../lib/use-sessions.js';
import { useOtherTabs } from '../lib/tabs.js';
import { ChatList } from './chat-list.js';
import { ChatView } from './chat-view.js';
import { HelpDialog } from './help-dialog.js';
import { NoToken } from './no-token.js';
import { SearchDialog } from './search-dialog.js';

/** Loaded when it is opened. */
const SettingsDialog = lazy(async () => ({ default: (await import('./settings-dialog.js')).SettingsDialog }));

/** Two columns: the chats, and the one that is open. On a narrow screen the first lies over the second. */
export function App() {
  const { place, open, openNew, settle } = usePlace();
  const catalog = useCatalog();
  const sessions = useSessions();
  const [isListOpen, setIsListOpen] = useState(false);
  const [dialog, setDialog] = useState<'search' | 'help' | 'settings'>();
  const session = useChatSession(place, { choice: catalog.choice, onChange: sessions.refresh });

  useOtherTabs(
    useCallback(
      (changed) => {
        sessions.refresh();
        if (changed === undefined || changed === session.id) void session.refresh();
      },
      [sessions.refresh, session],
    ),
  );
  const closeList = useCallback(() => setIsListOpen(false), []);
  useEffect(closeList, [place, closeList]);
  const onDeleted = useCallback(
    (id: string) => {
      if (id === place.sessionId) openNew();
    },
    [place.sessionId, openNew],
  );

  const [search, help, settings, close] = useMemo(
    () => [() => setDialog('search'), () => setDialog('help'), () => setDialog('settings'), () => setDialog(undefined)],
    [],
  );
  useShortcuts(
    useMemo(
      () => ({ search, help, settings, newChat: openNew, message: toMessageBox }),
      [search, help, settings, openNew],
    ),
  );

  if (sessions.isRefused) return <NoToken wasRefused />;
  return (
    <div className="app">
      <ChatList
        sessions={sessions}
        current={place.isNew ? undefined : place.sessionId}
        isOpen={isListOpen}
        onClose={closeList}
        onOpen={open}
        onNew={openNew}
        onDeleted={onDeleted}
        onSearch={search}
      />
      <ChatView
        key={session.id}
        session={session}
        catalog={catalog}
        isNew={place.isNew}
        isListOpen={isListOpen}
        onList={() => setIsListOpen((isOpen) => !isOpen)}
        onNew={openNew}
        onSent={settle}
        onHelp={help}
        onSettings={settings}
      />
      {dialog === 'search' && <SearchDialog recent={sessions.items} onOpen={open} onClose={close} />}
      {dialog === 'settings' && (
        <Suspense>
          <SettingsDialog sessionId={session.id} isNew={place.isNew} onClose={close} onChanged={sessions.refresh} />
        </Suspense>
      )}
      {dialog === 'help' && <HelpDialog commands={catalog.commands} onClose={close} />}
    </div>
  );
}
