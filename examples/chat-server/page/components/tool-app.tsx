import { lazy, Suspense, useMemo } from 'react';
import { appOf } from '../lib/mcp-apps/app-of.js';
import type { ToolPart } from '../lib/parts.js';
import { Loading } from './loading.js';

/** Loaded with the first call that has one. */
const McpApp = lazy(() => import('./bodies/mcp-app.js'));

interface ToolAppProps {
  readonly sessionId: string;
  readonly part: ToolPart;
}

/** The app that an MCP server brings for its tool. */
export function ToolApp({ sessionId, part }: ToolAppProps) {
  const app = useMemo(() => appOf(part), [part]);
  if (app === undefined) return null;
  return (
    <Suspense fallback={<Loading />}>
      <McpApp sessionId={sessionId} part={part} app={app} />
    </Suspense>
  );
}
