import type { ToolSet } from 'ai';
import type { OpenedModel } from 'responses-loop-example-shared/open-model.js';
import type { TerminalSessions } from 'responses-loop-example-shared/terminal-sessions.js';
import type { Checkpoints } from '../files/checkpoints.js';
import type { ContextWindow } from 'responses-loop-example-shared/context-window.js';
import type { Commands } from '../custom/commands.js';
import type { Attachment } from '../attach/attachment.js';
import type { AnswerSchema } from 'responses-loop-example-shared/answer-schema.js';
import type { Approvals } from './approvals.js';
import type { EngineView, SessionFacts } from './engine.js';
import type { Hub } from './hub.js';
import type { OpenTools } from './open-tools.js';
import type { Session } from './session.js';
import type { Elicitations } from '../mcp/elicitations.js';
import type { Modes } from '../plan/modes.js';
import type { Plans } from '../plan/plans.js';
import type { ToolEvents } from './tool-events.js';
import type { TaskOp } from './task.js';
import type { SdkTools } from './turn.js';
import type { OwnCommandDeps } from './own-command.js';

/** What an engine is put together from. */
export interface EngineParts extends Pick<OwnCommandDeps, 'bash' | 'judgeCommand'> {
  readonly facts: SessionFacts;
  readonly hub: Hub;
  readonly session: Session;
  readonly opened: OpenedModel;
  readonly system: string;
  readonly approvals: Approvals;
  readonly commands: Commands;
  readonly plans: Plans;
  readonly elicitations: Elicitations;
  readonly modes: Modes;
  readonly toolEvents: ToolEvents;
  readonly openTools: OpenTools;
  /** Commands that go on between calls: an interrupt ends them. */
  readonly terminals: Pick<TerminalSessions, 'endAll'>;
  readonly checkpoints: Checkpoints;
  readonly answer?: AnswerSchema | undefined;
  readonly contextWindow: ContextWindow;
  /** Tools that the AI SDK runs. Absent: the provider runs them. */
  readonly sdkTools?: (() => Promise<SdkTools>) | undefined;
  /** Reads and keeps what a message brings along. */
  readonly attach: (op: Extract<TaskOp, { type: 'user_input' }>) => Promise<readonly Attachment[]>;
  /** Tools that the server runs. */
  readonly hosted: ToolSet | undefined;
  readonly view: EngineView;
  readonly isKept: () => boolean;
  readonly release: () => Promise<void>;
}
