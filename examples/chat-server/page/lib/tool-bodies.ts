import { type ComponentType, lazy, type LazyExoticComponent } from 'react';
import { callOf, type ToolPart } from './parts.js';

export interface ToolBodyProps {
  /** The call. Its output is there from the state `output-available` on. */
  readonly part: ToolPart;
}

/** A view of the output of one tool, in place of its text. */
export interface ToolBody {
  readonly View: LazyExoticComponent<ComponentType<ToolBodyProps>>;
  /** `details`: seen once the card is opened. `card`: seen at once, below the head of the card. */
  readonly place: 'details' | 'card';
  /** Shows the output of a call that failed, too. */
  readonly isOfFailures: boolean;
}

/** The module of a view, which it exports as `default`. */
type Load = () => Promise<{ readonly default: ComponentType<ToolBodyProps> }>;

const VIEW = body('card', () => import('../components/bodies/view-body.js'));
const BROWSER = body('details', () => import('../components/bodies/browser-body.js'));

/** By the name of a tool of this application. A chunk each, loaded with the first such call that is looked at. */
const BODIES: ReadonlyMap<string, ToolBody> = new Map([
  ['readFile', body('details', () => import('../components/bodies/file-body.js'))],
  ['shellCommand', body('details', () => import('../components/bodies/terminal-body.js'), { isOfFailures: true })],
  ['jsonRender', VIEW],
  ['writeJsx', VIEW],
  ['browserOpen', BROWSER],
  ['browserSnapshot', BROWSER],
  ['browserAct', BROWSER],
  ['browserExtract', BROWSER],
  ['browserWait', BROWSER],
]);

/** A tool of an MCP server with such a name has none. */
export function bodyOf(part: ToolPart): ToolBody | undefined {
  const { isOwn, name } = callOf(part);
  return isOwn ? BODIES.get(name) : undefined;
}

function body(place: ToolBody['place'], load: Load, { isOfFailures = false } = {}): ToolBody {
  return { View: lazy(load), place, isOfFailures };
}
