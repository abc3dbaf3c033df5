import type { Cause } from '../differences/open/open-difference.js';
import type { Major } from '../sides.js';

/** How an app changes between the two. */
export type Road = 'one model for the other' | 'the flag of withStockFallback';

/** Something of a turn that is not sent later. */
export interface Loss {
  /** Who leaves it out, who answered the turn, and what it is. */
  readonly what: string;
  /** The cause that will be mended, or why it is right so. */
  readonly verdict: { readonly open: Cause } | { readonly why: string };
  /** Default: both. */
  readonly by?: Road;
  /** Default: all. */
  readonly of?: readonly Major[];
}

const LATER: readonly Major[] = [3, 4];
const SWAPPED = 'one model for the other';

const RIGHT: readonly Loss[] = [
  {
    what: 'ours after stock: message.agent',
    verdict: { why: 'The stock provider does not show whose message it is.' },
    by: SWAPPED,
  },
  ...['file_search_call', 'code_interpreter_call'].map((name): Loss => ({
    what: `ours after stock: ${name} is sent as function_call`,
    verdict: { why: 'The parts do not say enough to make the item of them; the stock provider leaves it out.' },
    by: SWAPPED,
  })),
  {
    what: 'ours after stock: mcp_call is sent as function_call',
    verdict: { why: 'The parts do not say enough to make the item of them; the stock provider leaves it out.' },
    by: SWAPPED,
    of: LATER,
  },
  ...(
    [
      ['environment', LATER],
      ['action.timeout_ms', [3]],
      ['action.max_output_length', [3]],
    ] as const
  ).map(([member, of]): Loss => ({
    what: `ours after stock: shell_call.${member}`,
    verdict: { why: 'The stock provider does not show it.' },
    by: SWAPPED,
    of,
  })),
  {
    what: 'ours after stock: web_search_call is missing',
    verdict: { why: 'It goes back, but without its queries, which the stock provider does not show.' },
    by: SWAPPED,
    of: [2],
  },
  {
    what: 'ours after stock: mcp_list_tools is missing',
    verdict: { why: 'The stock provider does not show it.' },
    by: SWAPPED,
    of: LATER,
  },
  {
    what: 'stock after ours: reasoning is missing',
    verdict: { why: 'It is sealed for the one who asked for it; withStockFallback translates it.' },
    by: SWAPPED,
  },
  {
    what: 'stock after ours: compaction is missing',
    verdict: {
      why: 'The stock provider sends none without the id of an item that the server keeps; withStockFallback gives it one.',
    },
    by: SWAPPED,
    of: [4],
  },
];

/** Everything that gets lost in ten turns. The aim is a list without open causes. */
export const LOSSES: readonly Loss[] = RIGHT;
