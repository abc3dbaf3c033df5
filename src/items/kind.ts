import type { JsonObject, JsonValue } from '../core/json.js';
import type { ToolOutput } from '../core/message.js';
import type { HostedTool } from '../core/tool.js';
import type { Shape } from '../util/check-value.js';
import type { Fields } from './fields.js';

/** A tool family with all facts about its items. A new family is a file in `kinds/` and a line in `list.ts`. */
export type Kind = CallKind | HostedKind;

/** How callers declare the tool of a family. */
interface DeclaredTool {
  /** The tool's kind on the wire, without a date: `web_search`. */
  readonly tool: string;
  /** Other kinds of tools whose calls have the same item type: dated ones and previews. */
  readonly alsoTools?: readonly string[];
  /** AI SDK ids of tools that other words name: `xai.code_execution`. */
  readonly alsoIds?: readonly string[];
  /** Names by which xAI's agents call parts of the tool. */
  readonly steps?: readonly string[];
  /** Shapes of the arguments, by the AI SDK's id. Arguments without a shape may be anything. */
  readonly arguments?: Readonly<Record<string, ArgumentShapes>>;
  /** The tool changes nothing, so a response that used it may be repeated. @default it may */
  readonly changesNothing?: true;
  /** Returns the declaration for the request. `body`: the arguments in snake case, which is also the default. */
  readonly declare?: (body: JsonObject, tool: HostedTool, keys: readonly string[]) => JsonObject;
  /** The `include` value that makes the server send results. `unless`: the call option that switches it off with `false`. */
  readonly include?: { readonly value: string; readonly unless?: string };
}

export type ArgumentShapes = Extract<Shape, { readonly members: unknown }> & {
  /** Arguments of which one has to be set, and how an error names them. */
  readonly needs?: { readonly oneOf: readonly string[]; readonly allowed: string };
};

/** A call that another item answers. */
export interface CallKind extends DeclaredTool {
  /** The `type` of the call's item. */
  readonly type: string;
  /** Returns the name that the caller gave the tool, if items have it. */
  readonly nameOf?: (item: JsonObject) => string | undefined;

  /** Returns who runs a call, judged by its item. `either`: the server, if the response has an output. */
  readonly runsAt: (item: JsonObject) => 'server' | 'client' | 'either';
  /** Whether the declaration makes the server run the tool. `always`: no caller can run it. @default never */
  readonly declaredForServer?: 'always' | ((args: HostedTool['args']) => boolean);
  /** Returns what is shown if the server ran the call and sends no output, as xAI does. */
  readonly ranAlone?: (item: JsonObject, input: string) => { readonly input: string; readonly result: JsonObject };

  /** Returns the input of the part that shows the call. */
  readonly input: (item: JsonObject) => JsonValue;
  /** Set if the input of a client's call is shown while it streams. An input of the server's call is shown whole. */
  readonly streaming?: StreamingInput;
  /** Reads the item out of a part that another provider wrote. `undefined` if the part lacks something. */
  readonly fromPart?: (part: ShownPart) => JsonObject | undefined;
  /** Items count only from a server or a trusted client, because they bring code or tools. */
  readonly needsTrust?: true;
  /** Certain versions of `@ai-sdk/openai` cannot send it. */
  readonly missingInAiSdk?: true;

  /** Members that a posted history has to bring back. */
  readonly needs?: Fields;
  /** Members that it may bring back. Unlisted ones stay too, unless `isClosed`. */
  readonly may?: Fields;
  readonly isClosed?: true;
  readonly output: OutputKind;
}

/** The item that answers a call. */
export interface OutputKind {
  readonly type: string;
  /** Returns the result of the part that shows the output. */
  readonly result: (item: JsonObject) => JsonValue;
  /** Reads the item out of a part that another provider wrote. */
  readonly fromPart?: (part: ShownPart) => JsonObject | undefined;
  /** Writes what the caller's tool returned; `content` has the server's form. Unset: only the server answers. */
  readonly write?: (output: ToolOutput, content: JsonValue) => JsonObject;
  /** Writes a note for the member `output` once the input is too long. `drop`: removed whole. Unset: never cut. */
  readonly note?: 'drop' | ((item: JsonObject, note: string) => JsonValue);
  /** Members that a posted history has to bring back. */
  readonly needs: Fields;
  /** A later response than the call's may contain it, because the server waits for other outputs first. */
  readonly mayBeLate?: true;
  /** `result` shows the status, so a failed output is no error. */
  readonly saysStatus?: true;
  /** Returns what repetitions share. Two providers may write one output twice, as a part and in a carrier. */
  readonly repeatedBy?: (item: JsonObject) => unknown;
}

/** How an input is shown while it streams: a growing text between two fixed ones. */
export interface StreamingInput {
  /** The event with a piece of the text. */
  readonly event?: string;
  /** Returns what surrounds the text, or `undefined` if the item does not tell yet. */
  readonly frame: (item: JsonObject) => { readonly opening: string; readonly closing: string } | undefined;
  /** Returns the whole text. @default the input as JSON */
  readonly text?: (item: JsonObject) => string;
  /** Escapes a piece of the text for its frame. */
  readonly write?: (text: string) => string;
  /** The input is plain text, not JSON. */
  readonly encoding?: 'text';
}

/** A call of another provider's history, or its result. */
export interface ShownPart {
  readonly callId: string;
  readonly input: unknown;
  /** The declared tool with the part's tool name. */
  readonly tool: HostedTool;
}

/** A tool that the server runs, with call and result in one item. */
export interface HostedKind extends DeclaredTool {
  readonly type: string;
  /** Returns the name that the part shows, if the item has its own. */
  readonly nameOf?: (item: JsonObject) => string | undefined;
  /** Returns the input of the part that shows the call. */
  readonly input: (item: JsonObject) => JsonObject;
  /** Returns the result of the part that shows it. */
  readonly result: (item: JsonObject) => JsonObject;
  /** Whether a finished item failed without a mark. */
  readonly hasFailed?: (item: JsonObject) => boolean;
  /** Returns the file that the tool made. */
  readonly file?: (item: JsonObject) => { readonly mediaType: string; readonly base64: string } | undefined;
  /** Returns the pages that the tool read. */
  readonly sources?: (item: JsonObject) => readonly string[];
  /** Set if there is something to show before the item is whole. */
  readonly preview?: HostedPreviewKind;
  /** Reads the item out of the result part that another provider wrote. */
  readonly fromPart?: (part: ShownPart) => JsonObject | undefined;
  /** Members that a posted history has to bring back, and members that it may. */
  readonly needs?: Fields;
  readonly may: Fields;
}

export interface HostedPreviewKind {
  /** The event with an unfinished result. */
  readonly event: string;
  /** Returns the unfinished result of an event. */
  readonly soFar: (event: JsonObject) => JsonObject | undefined;
  /** Returns what the final result repeats after previews, which it replaces. */
  readonly final: (item: JsonObject) => JsonObject | undefined;
  /** Whether the caller's declaration requests previews. */
  readonly isAskedFor: (args: HostedTool['args']) => boolean;
}
