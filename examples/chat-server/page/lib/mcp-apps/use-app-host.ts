import { generateId } from 'ai';
import { type RefObject, useEffect, useRef, useState } from 'react';
import type { AppQuestion } from '../../../src/context/request-context.js';
import { offerText } from '../offered-text.js';
import { asObject, type ToolPart } from '../parts.js';
import { useTheme } from '../theme.js';
import { AppHost } from './app-host.js';
import { appResultOf, type NamedApp } from './app-of.js';
import { callAppTool, readAppResource } from './app-requests.js';
import { isSomebodyAsked } from './somebody-asked.js';

/** A page that an app wants opened. */
export interface AppLink {
  readonly id: string;
  readonly url: string;
  readonly answer: (isOpened: boolean) => void;
}

interface AppHostState {
  readonly height: number;
  readonly question: AppQuestion | undefined;
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
  const [question, setQuestion] = useState<AppQuestion>();
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
      callTool: (name, input) =>
        callAppTool(place, { name, input, signal: gone.signal, onQuestion: setQuestion }).finally(() =>
          setQuestion(undefined),
        ),
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
  return { height, question, link };
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
