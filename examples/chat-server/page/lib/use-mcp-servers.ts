import { useCallback, useEffect, useState } from 'react';
import { api, sentenceOf } from './api.js';

export interface McpServerItem {
  readonly server: string;
  readonly state: 'ready' | 'needs_sign_in' | 'needs_client' | 'not_connected';
  readonly isSignedIn: boolean;
  readonly tools: number;
  readonly signIn?: { readonly url: string; readonly host: string };
  /** The address that a person names when registering this application at the service. */
  readonly registerWith?: string;
}

export interface ClientIds {
  readonly clientId: string;
  readonly clientSecret?: string;
}

export interface McpServerList {
  readonly items: readonly McpServerItem[] | undefined;
  readonly problem: string | undefined;
  readonly signOut: (server: string) => void;
  readonly giveClient: (server: string, client: ClientIds) => void;
}

const LOOK_AGAIN_MS = 2_000;

/** MCP servers, looked at again while somebody may be signing in in another tab. */
export function useMcpServers(onSignedIn: () => void): McpServerList {
  const [items, setItems] = useState<readonly McpServerItem[]>();
  const [problem, setProblem] = useState<string>();
  const tell = useCallback((error: unknown) => setProblem(sentenceOf(error)), []);
  // Between the sign-in and the first list of its tools a server is not connected.
  const isWaiting = items?.some(({ state }) => state !== 'ready') === true;
  const look = useCallback(() => api<readonly McpServerItem[]>('GET', '/api/mcp-servers').then(setItems, tell), [tell]);
  useEffect(() => void look(), [look]);
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setInterval(() => void look(), LOOK_AGAIN_MS);
    return () => {
      clearInterval(timer);
      // Its tools are others by now.
      onSignedIn();
    };
  }, [isWaiting, look, onSignedIn]);
  const signOut = useCallback(
    (server: string) => {
      const path = `/api/mcp-servers/${encodeURIComponent(server)}/sign-in`;
      void api<{ problem: string } | undefined>('DELETE', path).then((answer) => {
        setProblem(answer && `You are signed out here, but the service may still know its tokens: ${answer.problem}`);
        return look();
      }, tell);
    },
    [look, tell],
  );
  const giveClient = useCallback(
    (server: string, client: ClientIds) => {
      setProblem(undefined);
      void api('PUT', `/api/mcp-servers/${encodeURIComponent(server)}/client`, client).then(look, tell);
    },
    [look, tell],
  );
  return { items, problem, signOut, giveClient };
}
