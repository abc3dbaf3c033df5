import type { JsonObject } from '../../../src/core/json.js';
import { asArray, asRecords, asString } from '../../../src/util/guards.js';
import { plain } from '../plain.js';

/** Who said what in a prompt. */
export interface Said {
  readonly system: ReadonlySet<string>;
  readonly user: ReadonlySet<string>;
  /** Ids of the requests for approval that it has an answer to. */
  readonly answered: ReadonlySet<string>;
}

/** What a response can hold, so that a request may give it back; of OpenAI's specification. */
const OF_A_RESPONSE: ReadonlySet<string> = new Set([
  ...['message', 'reasoning', 'compaction', 'function_call', 'custom_tool_call', 'web_search_call', 'file_search_call'],
  ...['computer_call', 'code_interpreter_call', 'image_generation_call', 'local_shell_call', 'shell_call'],
  ...['apply_patch_call', 'mcp_call', 'mcp_list_tools', 'mcp_approval_request', 'tool_search_call'],
  ...['tool_search_output', 'program', 'program_output'],
]);
const SAYS: ReadonlySet<string> = new Set(['output_text', 'refusal']);
const OUTPUT = /^(?:function_call|custom_tool_call|local_shell_call|shell_call|apply_patch_call|computer_call)_output$/;
/** Calls that the server answers itself. */
const ANSWERS_ITSELF = /^(?!function|custom_tool|local_shell|apply_patch|computer)/;

/** I22: what is wrong with the types and roles of an input. */
export function wrongInput(input: readonly JsonObject[], said: Said): string[] {
  const called = new Map<string, string>();
  const asked = new Set<string>();
  return input.flatMap((item, at) => {
    const problem = wrongItem(item);
    return problem === undefined ? [] : [`item ${at} is ${problem}: ${JSON.stringify(item).slice(0, 200)}`];
  });

  function wrongItem(item: JsonObject): string | undefined {
    const type = item['type'];
    if (typeof type !== 'string') return 'an item without a type';
    if (OUTPUT.test(type)) return wrongOutput(item, type);
    if (type === 'message') return wrongMessage(item, said);
    if (type === 'mcp_approval_response') return wrongAnswer(item);
    if (!OF_A_RESPONSE.has(type)) return 'nothing that a response can hold';
    if (item['role'] !== undefined && item['role'] !== 'assistant') return `said by ${JSON.stringify(item['role'])}`;
    if (type === 'mcp_approval_request') asked.add(plain(item['id']));
    if (typeof item['call_id'] === 'string') called.set(item['call_id'], type);
    return undefined;
  }

  function wrongOutput(item: JsonObject, type: string): string | undefined {
    const call = called.get(plain(item['call_id']));
    if (call === undefined) return 'an output without its call';
    // Kinds that we do not know are answered as functions.
    return `${call}_output` === type || ANSWERS_ITSELF.test(call) ? undefined : `the answer to a ${call}`;
  }

  function wrongAnswer(item: JsonObject): string | undefined {
    const id = plain(item['approval_request_id']);
    if (!asked.has(id)) return 'an answer to a request that is not there';
    return said.answered.has(id) ? undefined : 'an answer that is not in the prompt';
  }
}

function wrongMessage(item: JsonObject, said: Said): string | undefined {
  const role = asString(item['role']);
  const texts = textsOf(item);
  if (role === 'assistant') {
    const isSaid =
      Array.isArray(item['content']) && asArray(item['content']).length === asRecords(item['content']).length;
    const types = asRecords(item['content']).map((part) => String(part['type']));
    return isSaid && types.every((type) => SAYS.has(type)) ? undefined : 'no message of a model';
  }
  const own = role === 'user' ? said.user : role === 'system' || role === 'developer' ? said.system : undefined;
  return own !== undefined && texts.every((text) => own.has(text))
    ? undefined
    : `a message that no ${String(role)} wrote`;
}

function textsOf({ content }: JsonObject): string[] {
  if (typeof content === 'string') return [content];
  return asRecords(content).map((part) => asString(part['text']) ?? '');
}
