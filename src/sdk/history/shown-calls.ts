import type { CallMembers, ServerItem } from '../../core/call-items.js';
import type { JsonObject } from '../../core/json.js';
import type { HostedTool } from '../../core/tool.js';
import type { CallKind, ShownPart } from '../../items/kind.js';
import { CALL_KINDS, HOSTED_KINDS } from '../../items/kinds.js';
import { approvalRequest } from '../../items/plain.js';
import { defined } from '../../util/defined.js';
import { asId, asRecord, asString } from '../../util/guards.js';
import { checkItem } from './check-item.js';

/** The form of a kind of tool in another provider's history. */
interface ShownKind {
  /** The item type of a call with a separate output. */
  readonly type?: string | undefined;
  readonly call?: CallKind['fromPart'];
  readonly needsTrust?: true | undefined;
  /** Reads the server's result as an item. */
  readonly result?: CallKind['fromPart'];
}

const typed =
  (type: string, fromPart: CallKind['fromPart']): CallKind['fromPart'] =>
  (part) => {
    const item = fromPart?.(part);
    return item && { type, ...item };
  };

/** By the kind of the tool. Calls that the caller has answered, or the server in a container, have results like any other. */
const KINDS: ReadonlyMap<string, ShownKind> = new Map([
  ...CALL_KINDS.flatMap(({ tool, alsoTools = [], type, fromPart, needsTrust, output }) =>
    [tool, ...alsoTools].map((name): [string, ShownKind] => [
      name,
      {
        // Only the server runs one, so its result is an item too.
        ...(output.write === undefined ? {} : { type }),
        ...defined({ needsTrust }),
        ...(name === tool && fromPart !== undefined && { call: typed(type, fromPart) }),
        ...(output.fromPart !== undefined && { result: typed(output.type, output.fromPart) }),
      },
    ]),
  ),
  ...HOSTED_KINDS.flatMap(({ tool, alsoTools = [], type, fromPart }) =>
    fromPart === undefined
      ? []
      : [tool, ...alsoTools].map((name): [string, ShownKind] => [name, { result: typed(type, fromPart) }]),
  ),
]);

export function shownKind(tool: string): ShownKind {
  return KINDS.get(tool) ?? {};
}

/** The sendable item of a call. */
export function callShown(shown: ShownPart, members: CallMembers | undefined): ServerItem | undefined {
  const { type, call, needsTrust } = shownKind(shown.tool.type);
  const item = call?.(shown);
  return item && checked({ ...(needsTrust ? {} : members), ...defined({ type }), ...item });
}

/** The item of the server's result; its `input` is the shown result. */
export function resultShown(shown: ShownPart): ServerItem | undefined {
  const item = shownKind(shown.tool.type).result?.(shown);
  return item && checked(item);
}

/** The server's request to call a tool of its own MCP server. */
export function requestShown(
  approvalId: string,
  { name, input }: { readonly name: string; readonly input: unknown },
  tools: readonly HostedTool[],
): ServerItem | undefined {
  const labels = tools.flatMap((tool) =>
    tool.type === 'mcp' && mayCall(tool, name) ? (asId(tool.args['serverLabel']) ?? []) : [],
  );
  const [label] = labels;
  // With two servers, the right one is unknown.
  if (label === undefined || labels.length > 1) return undefined;
  const text = asString(input) ?? JSON.stringify(input ?? {});
  return checked(approvalRequest(approvalId, { server_label: label, name, arguments: text }));
}

function mayCall({ args }: HostedTool, name: string): boolean {
  const { allowedTools } = args;
  const names = Array.isArray(allowedTools) ? allowedTools : asRecord(allowedTools)?.['toolNames'];
  return !Array.isArray(names) || names.includes(name);
}

function checked(item: JsonObject): ServerItem | undefined {
  const read = checkItem(item, { place: 'carrier', signed: false });
  return typeof read === 'string' ? undefined : read;
}
