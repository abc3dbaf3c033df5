import { generateId } from 'ai';
import { type RefObject, useEffect, useRef, useState } from 'react';
import type { AppQuestion } from '../../../src/context/request-context.js';
import type { McpQuestion } from '../../../src/elicitation/mcp-questions.js';
import { offerText } from '../offered-text.js';
import { asObject, type ToolPart } from '../parts.js';
import { useTheme } from '../theme.js';
import { AppHost } from './app-host.js';
import { appResultOf, type NamedApp } from './app-of.js';
import { type AppToolCall, callAppTool, readAppResource } from './app-requests.js';
import { isSomebodyAsked } from './somebody-asked.js';

/** A page that an app wants opened. */
export interface AppLink {
  readonly id: string;
  readonly url: string;
  readonly answer: (isOpened: boolean) => void;
}

/** What the call that is made asks of the person. */
interface Asked {
  readonly question?: AppQuestion | undefined;
  readonly serverQuestions?: readonly McpQuestion[];
  /** Why a question of the server did not come here; it stays until the next call. */
  readonly cancelled?: string;
}

interface AppHostState {
  readonly height: number;
  readonly asked: Asked;
  readonly link: AppLink | undefined;
}

interface UseAppHostOptions {
  readonly sessionId: string;
  readonly part: ToolPart;
  readonly app: NamedApp;
  readonly frame: RefObject<HTMLIFrameElement | null>;
  readonly onFlood: () => void;
}

const HEIGHTS = { least: 60, first: 240, most: 600 } as const;

/** Listens to the app in this frame, and to no other window. It ends with the frame: what waits then is not run. */
export function useAppHost({ sessionId, part, app, frame, onFlood }: UseAppHostOptions): AppHostState {
  const [height, setHeight] = useState<number>(HEIGHTS.first);
  const [asked, setAsked] = useState<Asked>({});
  const [link, setLink] = useState<AppLink>();
  const [theme] = useTheme();
  const host = useRef<AppHost>(undefined);
  const latest = useRef({ part, onFlood });
  latest.current = { part, onFlood };
  const { server, tool } = app;

  useEffect(() => {
    const place = { sessionId, server };
    const gone = new AbortController();
    const own = new AppHost({
      // Its origin has no name that it could be addressed by.
      send: (message) => frame.current?.contentWindow?.postMessage(message, '*'),
      context: () => contextOf(tool),
      onReady: () => {
        const { input } = latest.current.part;
        own.notify('ui/notifications/tool-input', { arguments: asObject(input) });
        own.notify('ui/notifications/tool-result', appResultOf(latest.current.part));
      },
      onHeight: (wanted) => {
        if (!isSomebodyAsked()) setHeight(Math.min(HEIGHTS.most, Math.max(HEIGHTS.least, Math.ceil(wanted))));
      },
      callTool: (name, input) => {
        let now: Asked = {};
        const change = (next: Asked): void => setAsked((now = next));
        change(now);
        const onNews: AppToolCall['onNews'] = (news) => {
          if (news.type === 'question') change({ ...now, question: news.question });
          else if (news.type === 'server-questions')
            change({ ...now, question: undefined, serverQuestions: news.items });
          else change({ ...now, cancelled: news.message });
        };
        return callAppTool(place, { name, input, signal: gone.signal, onNews }).finally(() =>
          change(now.cancelled === undefined ? {} : { cancelled: now.cancelled }),
        );
      },
      readResource: (uri) => readAppResource(place, uri),
      openLink: async (url) => {
        const isOpened = await new Promise<boolean>((answer) => setLink({ id: generateId(), url, answer }));
        setLink(undefined);
        return isOpened;
      },
      // Somebody who writes a message is not interrupted.
      putText: (text) => document.activeElement === frame.current && offerText(text),
      onFlood: () => latest.current.onFlood(),
    });
    host.current = own;
    const onMessage = ({ source, data }: MessageEvent): void => {
      const window = frame.current?.contentWindow ?? undefined;
      if (window !== undefined && source === window) own.receive(data);
    };
    addEventListener('message', onMessage);
    return () => {
      removeEventListener('message', onMessage);
      gone.abort();
    };
  }, [sessionId, server, tool, frame]);

  useEffect(() => host.current?.notify('ui/notifications/host-context-changed', { theme: shownTheme() }), [theme]);
  return { height, asked, link };
}

function contextOf(tool: string): object {
  return {
    toolInfo: { tool: { name: tool, inputSchema: { type: 'object' } } },
    theme: shownTheme(),
    displayMode: 'inline',
    availableDisplayModes: ['inline'],
    containerDimensions: { maxHeight: HEIGHTS.most },
    locale: navigator.language,
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    userAgent: 'chat-server',
    platform: 'web',
  };
}

function shownTheme(): 'light' | 'dark' {
  const chosen = document.documentElement.dataset['theme'];
  if (chosen === 'light' || chosen === 'dark') return chosen;
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}
