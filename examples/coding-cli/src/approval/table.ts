import type { ApprovalMode } from '../protocol/settings.js';
import type { CallClass, Verdict } from './types.js';

export type Outcome = Verdict['outcome'];

/** Each kind of call there is: what it does, and where. */
export type CallKind =
  | 'session only'
  | 'read inside'
  | 'read outside'
  | 'write inside'
  | 'write outside'
  | 'write protected'
  | 'bash safe'
  | 'bash ask'
  | 'bash ask, read-only'
  | 'bash unread'
  | 'bash danger'
  | 'bash forbidden'
  | 'workspace text'
  | 'web page'
  | 'mcp trusted'
  | 'mcp reads'
  | 'mcp other';

export interface KindRow {
  readonly class: CallClass;
  readonly outcomes: Readonly<Record<ApprovalMode, Outcome>>;
  /** Whether "for this session" is offered. */
  readonly offersRule: boolean;
  /** Whether it may run while the model makes a plan: it only reads. */
  readonly inPlan: boolean;
  /** What `never` says where nothing is kept from the tools (`danger_full_access`). */
  readonly unlimited?: Outcome;
}

const row = (
  kind: CallClass,
  [unless_trusted, on_request, on_failure, never]: readonly [Outcome, Outcome, Outcome, Outcome],
  more: Partial<Pick<KindRow, 'inPlan' | 'offersRule' | 'unlimited'>> = {},
): KindRow => ({
  class: kind,
  outcomes: { unless_trusted, on_request, on_failure, never },
  offersRule: false,
  inPlan: false,
  ...more,
});

/** Who may do what: `unless_trusted`, `on_request`, `on_failure`, `never`. */
export const DECISIONS: Readonly<Record<CallKind, KindRow>> = {
  'session only': row('safe', ['run', 'run', 'run', 'run'], { inPlan: true }),
  'read inside': row('safe', ['run', 'run', 'run', 'run'], { inPlan: true }),
  'read outside': row('ask', ['ask', 'ask', 'ask', 'deny'], { inPlan: true }),
  'write inside': row('ask', ['ask', 'run', 'run', 'run'], { offersRule: true }),
  'write outside': row('ask', ['ask', 'ask', 'ask', 'deny']),
  'write protected': row('forbidden', ['deny', 'deny', 'deny', 'deny']),
  'bash safe': row('safe', ['run', 'run', 'run', 'run'], { inPlan: true }),
  'bash ask': row('ask', ['ask', 'ask', 'run', 'deny'], { offersRule: true, unlimited: 'run' }),
  'bash ask, read-only': row('ask', ['ask', 'ask', 'ask', 'deny'], { offersRule: true }),
  // Behind an error there may be commands that were not seen.
  'bash unread': row('ask', ['ask', 'ask', 'ask', 'deny'], { unlimited: 'run' }),
  'bash danger': row('danger', ['ask', 'ask', 'ask', 'deny'], { unlimited: 'run' }),
  'bash forbidden': row('forbidden', ['deny', 'deny', 'deny', 'deny']),
  // Nobody of this user has written it.
  'workspace text': row('ask', ['ask', 'ask', 'ask', 'deny'], { offersRule: true, inPlan: true }),
  // An address can carry away what the model has read.
  'web page': row('ask', ['ask', 'ask', 'ask', 'deny'], { offersRule: true, inPlan: true, unlimited: 'run' }),
  'mcp trusted': row('safe', ['run', 'run', 'run', 'run'], { inPlan: true }),
  // Its server says so, and nobody has said that this server is believed.
  'mcp reads': row('ask', ['ask', 'ask', 'ask', 'deny'], { offersRule: true, inPlan: true, unlimited: 'run' }),
  'mcp other': row('ask', ['ask', 'ask', 'ask', 'deny'], { offersRule: true, unlimited: 'run' }),
};
