import { ISOLATION, type Isolation } from 'responses-loop-example-shared/sandbox.js';
import { z } from 'zod';
import type { Hook } from '../hooks/hooks.js';
import { HOOK } from '../hooks/schema.js';
import {
  APPROVAL,
  type ApprovalMode,
  MODE,
  type Mode,
  NOTIFY,
  type Notify,
  SANDBOX,
  type SandboxMode,
} from '../protocol/settings.js';

/** `on-request` is taken for `on_request`. */
const withHyphens = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (typeof value === 'string' ? value.replaceAll('-', '_') : value), schema);

const TEXT = z.string();
const TEXTS = z.array(TEXT);
const NUMBER = z.int().min(1);

/** A setting: what it may be, its variables in the environment, and its value where nobody says anything. */
interface SettingRow {
  readonly schema: z.ZodType;
  /** The first that is set counts. */
  readonly env: readonly string[];
  readonly default?: unknown;
  /** Printed by its last four characters only. */
  readonly isSecret?: true;
  /** Whether the config file of a workspace, which is not trusted, may say it. */
  readonly workspace?: 'taken' | 'if stricter';
}

/** Every setting there is, in the order in which `coder config` lists them. */
export const SETTINGS = {
  baseUrl: { schema: TEXT, env: ['OPENAI_BASE_URL', 'CODER_BASE_URL'] },
  apiKey: { schema: TEXT, env: ['OPENAI_API_KEY', 'CODER_API_KEY'], isSecret: true },
  model: { schema: TEXT, env: ['CODER_MODEL', 'MODEL'], workspace: 'taken' },
  approval: { schema: withHyphens(APPROVAL), env: ['CODER_APPROVAL'], default: 'on_request', workspace: 'if stricter' },
  /** `plan`: the model only reads until a person approves its plan. */
  mode: { schema: MODE, env: ['CODER_MODE'], default: 'work', workspace: 'if stricter' },
  sandbox: {
    schema: withHyphens(SANDBOX),
    env: ['CODER_SANDBOX'],
    default: 'workspace_write',
    workspace: 'if stricter',
  },
  /** Whether commands run in a sandbox of the system (bubblewrap). */
  isolation: { schema: z.enum(ISOLATION), env: ['CODER_ISOLATION'], default: 'off' },
  /** Whether they reach the network from there. */
  sandboxNetwork: { schema: z.boolean(), env: ['CODER_SANDBOX_NETWORK'], default: false },
  maxTurns: { schema: NUMBER, env: ['CODER_MAX_TURNS'], default: 20, workspace: 'taken' },
  /** Tokens the model takes. Without it, what its server or a table says. */
  contextWindow: { schema: NUMBER, env: ['CODER_CONTEXT_WINDOW'] },
  /** Whether the model takes images; `auto`: a table says so. */
  images: { schema: z.enum(['auto', 'on', 'off']), env: ['CODER_IMAGES'], default: 'auto' },
  /** Percent of that at which the conversation is made shorter; 0: never. */
  compactAt: { schema: z.int().min(0).max(95), env: ['CODER_COMPACT_AT'], default: 80, workspace: 'taken' },
  /** Milliseconds that the server may be silent. */
  timeoutMs: { schema: NUMBER, env: ['CODER_TIMEOUT_MS'] },
  /** Whether `AGENTS.md` is read. */
  projectDoc: { schema: z.boolean(), env: ['CODER_PROJECT_DOC'], default: true, workspace: 'taken' },
  /** Names of tools that the model is not offered. */
  toolsOff: { schema: TEXTS, env: [], default: [], workspace: 'taken' },
  /** Further patterns that `list`, `glob` and `grep` pass over, as in `.gitignore`. */
  ignore: { schema: TEXTS, env: [], default: [], workspace: 'taken' },
  /** Further roots that may be read and written. */
  addDirs: { schema: TEXTS, env: [], default: [] },
  /** Rules as `/permissions` shows them. */
  allow: { schema: TEXTS, env: [], default: [] },
  /** Commands behind an edit: see `src/hooks`. Of the user's own config file only. */
  afterEdit: { schema: z.array(HOOK), env: [], default: [] },
  /** Whether the server may search the web by itself. */
  webSearch: { schema: z.boolean(), env: ['CODER_WEB_SEARCH'], default: false },
  mcpConfig: { schema: TEXT, env: ['CODER_MCP_CONFIG'] },
  /** MCP servers that are believed when they say that a tool only reads. */
  trustedMcp: { schema: TEXTS, env: [], default: [] },
  stock: { schema: z.boolean(), env: ['CODER_STOCK'], default: false },
  /** Prices of a million tokens: `IN,OUT`, or `IN,OUT,CACHED`. */
  price: {
    schema: TEXT.regex(/^\d+(\.\d+)?,\d+(\.\d+)?(,\d+(\.\d+)?)?$/, 'IN,OUT or IN,OUT,CACHED, such as 1.25,10,0.125'),
    env: ['CODER_PRICE'],
  },
  notify: { schema: NOTIFY, env: ['CODER_NOTIFY'], default: 'off' },
} as const satisfies Record<string, SettingRow>;

export type SettingName = keyof typeof SETTINGS;

/** What each setting is, once it was read. */
export type SettingValue<Name extends SettingName> =
  | z.infer<(typeof SETTINGS)[Name]['schema']>
  | ((typeof SETTINGS)[Name] extends { default: unknown } ? never : undefined);

export const SETTING_ROWS = Object.entries(SETTINGS) as [SettingName, SettingRow][];

/** What a config file may hold. */
export const CONFIG_FILE = z
  .strictObject(Object.fromEntries(SETTING_ROWS.map(([name, { schema }]) => [name, schema])))
  .partial();

/** All that a session runs by. */
export interface Settings {
  /** Real path. */
  readonly workspace: string;
  /** Where sessions lie, and what is kept beside them. */
  readonly dataDir: string;
  /** Where `config.json` and `permissions.json` lie. */
  readonly configDir: string;
  readonly baseUrl?: string | undefined;
  readonly apiKey?: string | undefined;
  readonly model?: string | undefined;
  readonly approval: ApprovalMode;
  readonly mode: Mode;
  readonly sandbox: SandboxMode;
  readonly isolation: Isolation;
  readonly sandboxNetwork: boolean;
  readonly maxTurns: number;
  readonly contextWindow?: number | undefined;
  readonly images: 'auto' | 'on' | 'off';
  readonly compactAt: number;
  readonly timeoutMs?: number | undefined;
  readonly projectDoc: boolean;
  readonly toolsOff: readonly string[];
  readonly ignore: readonly string[];
  /** Real paths. */
  readonly addDirs: readonly string[];
  readonly allow: readonly string[];
  readonly afterEdit: readonly Hook[];
  readonly webSearch: boolean;
  readonly mcpConfig?: string | undefined;
  readonly trustedMcp: readonly string[];
  readonly stock: boolean;
  readonly price?: string | undefined;
  readonly notify: Notify;
  /** Where every event of the provider is written to, a line each. */
  readonly log?: string | undefined;
}
