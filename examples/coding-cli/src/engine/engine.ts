import type { OpenedModel, OpenModelOptions } from 'responses-loop-example-shared/open-model.js';
import type { ImageFile } from '../attach/image-file.js';
import type { Settings } from '../config/schema.js';
import type { CoderEvent, EventData, EventMessage, Usage } from '../protocol/events.js';
import type { Submission } from '../protocol/submissions.js';
import type { McpCatalog } from '../mcp/catalog.js';
import type { FileDifference } from './session-diff.js';
import type { SessionToResume } from './open-session.js';
import type { ModeSettings } from '../plan/modes.js';
import type { CodingTool } from '../tools/context.js';

/** Opens the model with what the engine adds to the provider's settings: tools, approvals, events. */
export type OpenModelFor = (settings: NonNullable<OpenModelOptions['settings']>) => Promise<OpenedModel>;

export interface EngineOptions {
  readonly settings: Settings;
  readonly openModel: OpenModelFor;
  /** The session that goes on; absent: a new one. */
  readonly resume?: SessionToResume | undefined;
  /** Settings that the person has named for this start: a session that goes on takes them in place of its own. */
  readonly named?: readonly (keyof ModeSettings)[] | undefined;
  /** Nobody can be asked: what would be a question is a denial. */
  readonly isHeadless?: boolean | undefined;
  /** Milliseconds after which a question is answered with no. */
  readonly approvalTimeoutMs?: number | undefined;
  /** Who runs the tools: the provider inside its model, or the AI SDK in steps of its own. Default: `model`. */
  readonly runTools?: 'model' | 'sdk' | undefined;
  /**
   * Further tools of the program that starts the engine. One that is marked `readOnly` runs unasked; the others are asked
   * about like commands.
   */
  readonly tools?: readonly CodingTool[] | undefined;
  /** JSON schema of the answer. */
  readonly outputSchema?: Readonly<Record<string, unknown>> | undefined;
}

/** What stands about the session from its first event on. */
export type SessionFacts = EventData<'session_configured'>;

export interface ShownRule {
  readonly text: string;
  /** For this session, for this folder for good, or of a flag or a setting. */
  readonly scope: 'session' | 'always' | 'settings';
}

/** What a screen may want to know beside the events; changes nothing but rules, and keeps images. */
export interface EngineView {
  /** What was said and done before, for a session that goes on. */
  readonly history: readonly EventMessage[];
  /** Of all tasks so far. */
  readonly usage: Usage;
  /** Tokens of the conversation, as the last round counted them. */
  readonly contextTokens: number;
  /** Tokens that the model takes, if it is known. Asks its server, once. */
  contextWindow(): Promise<number | undefined>;
  /** Prompts and resources of MCP servers. */
  readonly mcp: Pick<McpCatalog, 'servers' | 'prompts' | 'resources' | 'values' | 'promptText'>;
  readonly mcpServers: readonly EventData<'mcp_status'>[];
  /** Commands of the user and of the workspace, for `run_command`. */
  commands(): readonly { readonly name: string; readonly description: string }[];
  /** As text, as they are shown and given (`--allow`). */
  rules(): readonly ShownRule[];
  /** Whether there was such a rule. */
  removeRule(rule: string): Promise<boolean>;
  /** Models to choose from. */
  models(): Promise<readonly string[]>;
  /** Files of the workspace that are not ignored, the newest first. */
  files(): Promise<readonly string[]>;
  /** What the person has said, the oldest first. */
  messages(): readonly { readonly turn: number; readonly text: string }[];
  /** Files that tools have changed from this turn on, and that are not restored. */
  changedSince(turn: number): readonly string[];
  /** Whether the model is known to take images. */
  readonly takesImages: boolean;
  /** Keeps an image that no file holds with the session. Resolves with the path for `user_input`. */
  keepImage(image: ImageFile): Promise<string>;
  /** Settings of the screen. */
  readonly screen: Pick<Settings, 'price' | 'notify' | 'contextWindow'>;
  /** Output of a call as the model read it; events hold no more than its beginning. */
  output(callId: string): string | undefined;
  /** Output of a call with what the model did not read, from the file that holds it. */
  wholeOutput(callId: string): Promise<string | undefined>;
  /** What all turns did to files. */
  differences(): Promise<readonly FileDifference[]>;
}

/** Submissions go in, events come out; it knows no terminal. */
export interface Engine {
  readonly session: SessionFacts;
  readonly view: EngineView;
  submit(submission: Submission): void;
  /** Answers a line that is no submission. */
  refuse(id: string, problem: string): void;
  /** For one reader. Ends behind `shutdown_complete`. */
  readonly events: AsyncIterable<CoderEvent>;
  /** When nothing runs and nothing waits. */
  whenIdle(): Promise<void>;
  /** From now on nobody can be asked: what would be a question is a denial. */
  noMoreAnswers(): void;
  /** Whether all that was said and done is on disk. */
  readonly isKept: boolean;
  /** Stops what runs, waits for the processes of tools, lets go of the session. */
  close(): Promise<void>;
}
