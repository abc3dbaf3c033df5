import type { OpenedModel, OpenModelOptions } from 'responses-loop-example-shared/open-model.js';
import type { EventData, CoderEvent } from '../protocol/events.js';
import type { Submission } from '../protocol/submissions.js';
import type { Settings } from '../config/schema.js';

/** Opens the model with what the engine adds to the provider's settings: tools, approvals, events. */
export type OpenModelFor = (settings: NonNullable<OpenModelOptions['settings']>) => Promise<OpenedModel>;

export interface EngineOptions {
  readonly settings: Settings;
  readonly openModel: OpenModelFor;
  /** The rollout of a session that goes on; absent: a new one. */
  readonly resume?: string | undefined;
  /** Nobody can be asked: what would be a question is a denial. */
  readonly isHeadless?: boolean | undefined;
  /** Milliseconds after which a question is answered with no. */
  readonly approvalTimeoutMs?: number | undefined;
  /** JSON schema of the answer. */
  readonly outputSchema?: Readonly<Record<string, unknown>> | undefined;
}

/** What stands about the session from its first event on. */
export type SessionFacts = EventData<'session_configured'>;

/** Submissions go in, events come out; it knows no terminal. */
export interface Engine {
  readonly session: SessionFacts;
  submit(submission: Submission): void;
  /** For one reader. Ends behind `shutdown_complete`. */
  readonly events: AsyncIterable<CoderEvent>;
  /** Stops what runs, waits for the processes of tools, lets go of the session. */
  close(): Promise<void>;
}
