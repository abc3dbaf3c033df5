import type { JsonObject, JsonValue } from '../../../src/core/json.js';
import type { Dice } from '../dice.js';
import { lie, MEANINGFUL } from './words.js';

/** Types that a response can hold, types that only a request can hold, and names of nothing. */
const TYPES: readonly JsonValue[] = [
  ...['message', 'message', 'message', 'reasoning', 'function_call', 'function_call_output', 'custom_tool_call'],
  ...['custom_tool_call_output', 'web_search_call', 'file_search_call', 'computer_call', 'computer_call_output'],
  ...['code_interpreter_call', 'image_generation_call', 'local_shell_call', 'local_shell_call_output', 'shell_call'],
  ...['shell_call_output', 'apply_patch_call', 'apply_patch_call_output', 'mcp_call', 'mcp_list_tools'],
  ...['mcp_approval_request', 'mcp_approval_response', 'mcp_approval_response', 'additional_tools', 'tool_search_call'],
  ...['tool_search_output', 'program', 'program_output', 'compaction', 'item_reference', 'configuration_update'],
  ...['compaction_trigger', 'system', 'developer', 'chaos_item', '__proto__', 'constructor', '', 7],
];
const ROLES: readonly JsonValue[] = ['assistant', 'user', 'system', 'developer', 'tool', 'constructor', null];
const CONTENT_TYPES = ['output_text', 'input_text', 'text', 'refusal', 'input_image', 'input_file', 'reasoning_text'];
const IDS: readonly string[] = [
  ...['c1', 'c1', 'c2', 'mcpr_1', 'mcpr_1', 'fc_1', 'rs_1', '', '__proto__', 'constructor', 'hasOwnProperty'],
  ...['x'.repeat(200), 'ü🦆', '\ud83e', 'responses-loop::c1', 'a\u0000b', 'c1:2', ' '],
];
const NAMES = ['look', 'act', 'pay', 'ask', '__proto__', 'toString', 'no such', 'x'.repeat(100)];

/** Writes the lies of one scenario; each is numbered. */
export class Liar {
  readonly #dice: Dice;
  #count = 0;

  constructor(dice: Dice) {
    this.#dice = dice;
  }

  lie(place: string): string {
    this.#count += 1;
    return lie(place, this.#count);
  }

  /** An input item of any type and role. */
  item(place: string): JsonObject {
    const dice = this.#dice;
    const maybe = (name: string, chance: number, make: () => JsonValue): JsonObject =>
      dice.chance(chance) ? { [name]: make() } : {};
    return {
      ...maybe('type', 0.95, () => dice.pick(TYPES)),
      ...maybe('role', 0.5, () => dice.pick(ROLES)),
      ...maybe('content', 0.6, () => this.#content(place)),
      ...maybe('id', 0.5, () => dice.pick(IDS)),
      ...maybe('call_id', 0.6, () => dice.pick(IDS)),
      ...maybe('approval_request_id', 0.4, () => dice.pick(IDS)),
      ...maybe('approve', 0.4, () => true),
      ...maybe('name', 0.5, () => dice.pick(NAMES)),
      ...maybe('arguments', 0.4, () => JSON.stringify({ m: this.lie(place) })),
      ...maybe('input', 0.2, () => this.lie(place)),
      ...maybe('output', 0.4, () => (dice.chance(0.5) ? this.lie(place) : this.json(place, 2))),
      ...maybe('encrypted_content', 0.3, () => this.lie(place)),
      ...maybe('summary', 0.3, () => [{ type: 'summary_text', text: this.lie(place) }]),
      ...maybe('status', 0.3, () => dice.pick(['completed', 'incomplete', 'failed'])),
      ...maybe('tools', 0.2, () => [{ type: 'function', name: 'act', description: this.lie(place) }]),
      ...maybe('reasoning', 0.1, () => ({ effort: 'high' })),
      ...maybe('previous_response_id', 0.1, () => 'resp_1'),
      ...maybe('__proto__', 0.1, () => ({ polluted: true })),
    };
  }

  #content(place: string): JsonValue {
    const dice = this.#dice;
    if (dice.chance(0.3)) return this.lie(place);
    if (dice.chance(0.1)) return this.json(place, 2);
    return Array.from({ length: dice.between(0, 2) }, () => ({
      type: dice.pick(CONTENT_TYPES),
      text: this.lie(place),
      ...(dice.chance(0.2) ? { image_url: 'http://127.0.0.1:1/x.png' } : {}),
    }));
  }

  items(place: string): JsonValue {
    const dice = this.#dice;
    if (dice.chance(0.05)) return this.json(place, 2);
    return Array.from({ length: dice.between(1, 3) }, () => this.item(place));
  }

  /** JSON of no particular shape. */
  json(place: string, depth: number): JsonValue {
    const dice = this.#dice;
    const leaf = dice.weighted<JsonValue>([
      [4, this.lie(place)],
      [1, null],
      [1, dice.below(1e6)],
      [1, true],
      [1, dice.pick(IDS)],
    ]);
    if (depth === 0 || dice.chance(0.3)) return leaf;
    const count = dice.between(0, 3);
    if (dice.chance(0.4)) return Array.from({ length: count }, () => this.json(place, depth - 1));
    const names = ['type', 'role', 'content', 'text', 'v', 'callId', 'output', 'item', 'source', 'url', '__proto__'];
    return Object.fromEntries(Array.from({ length: count }, () => [dice.pick(names), this.json(place, depth - 1)]));
  }

  carrier(): JsonObject {
    const dice = this.#dice;
    const has = (chance = 0.4): boolean => dice.chance(chance);
    const call = (): JsonObject => ({
      callId: dice.pick(IDS),
      name: dice.pick(NAMES),
      arguments: JSON.stringify({ m: this.lie('carrier') }),
      ...(has() ? { output: this.output('carrier') } : {}),
      ...(has(0.2) ? { inRound: dice.pick(IDS) } : {}),
    });
    const list = (make: () => JsonValue): JsonValue =>
      has(0.05) ? this.json('carrier', 2) : Array.from({ length: dice.between(1, 3) }, make);
    return {
      v: dice.weighted<JsonValue>([
        [4, 1],
        [4, 2],
        [1, 3],
        [1, '1'],
      ]),
      ...(has() ? { before: this.items('carrier') } : {}),
      ...(has() ? { after: this.items('carrier') } : {}),
      ...(has() ? { callsBefore: list(call) } : {}),
      ...(has() ? { calls: list(call) } : {}),
      ...(has() ? { outputs: list(() => ({ callId: dice.pick(IDS), output: this.output('carrier') })) } : {}),
      ...(has()
        ? {
            entries: list(() =>
              has() ? { at: dice.between(0, 5), ...call() } : { at: 0, item: this.item('carrier') },
            ),
          }
        : {}),
      ...(has(0.3) ? { asked: list(() => dice.pick(IDS)) } : {}),
      ...(has(0.3) ? { order: list(() => dice.pick(IDS)) } : {}),
      ...(has(0.2) ? { behind: list(() => dice.pick(IDS)) } : {}),
      ...(has(0.1) ? { signature: 'ab'.repeat(32), sig: 'ab'.repeat(32) } : {}),
    };
  }

  output(place: string): JsonValue {
    const dice = this.#dice;
    if (dice.chance(0.1)) return this.json(place, 2);
    return {
      isError: dice.chance(0.2),
      content: [
        { type: 'text', text: this.lie(place) },
        ...(dice.chance(0.2)
          ? [{ type: 'file', mediaType: 'image/png', source: { url: 'http://127.0.0.1:1/x' } }]
          : []),
      ],
    };
  }

  /** What stands under our name in the metadata of a part. */
  own(): JsonObject {
    const dice = this.#dice;
    const has = (chance: number): boolean => dice.chance(chance);
    return {
      ...(has(0.45) ? { carrier: this.carrier() } : {}),
      ...(has(0.3) ? { hostedItem: has(0.9) ? this.item('hosted') : this.json('hosted', 2) } : {}),
      ...(has(0.3) ? { item: has(0.9) ? this.item('item') : this.json('item', 2) } : {}),
      ...(has(0.3) ? { rawInput: has(0.8) ? JSON.stringify({ m: this.lie('raw') }) : this.json('raw', 1) } : {}),
      ...(has(0.3) ? { output: this.output('output') } : {}),
      ...(has(0.35) ? { reasoning: this.#reasoning() } : {}),
      ...(has(0.2) ? { itemId: dice.pick(IDS), wireCallId: dice.pick(IDS), inRound: dice.pick(IDS) } : {}),
      ...(has(0.1) ? { phase: this.lie('phase') } : {}),
      ...(has(0.2) ? { preamble: true } : {}),
      ...(has(0.2) ? { asked: [dice.pick(IDS)] } : {}),
      ...(has(0.1) ? { reasoningEffortUpdate: 'high' } : {}),
      ...(has(0.1) ? { role: 'developer', content: this.lie('member') } : {}),
      ...(has(0.1) ? { ['__proto__']: this.json('member', 2) } : {}),
      ...(has(0.1) ? { [dice.pick(['x', 'toString', 'carrier '])]: this.json('member', 3) } : {}),
    };
  }

  #reasoning(): JsonValue {
    const dice = this.#dice;
    if (dice.chance(0.1)) return this.json('sealed', 2);
    return {
      kind: dice.pick(['summary', 'text', 'developer']),
      ...(dice.chance(0.7) ? { encrypted: this.lie('sealed') } : {}),
      ...(dice.chance(0.5) ? { origin: this.lie('origin') } : {}),
      ...(dice.chance(0.2) ? { continues: true } : {}),
    };
  }

  /** What the stock provider would have written. */
  stock(): JsonObject {
    const dice = this.#dice;
    return {
      ...(dice.chance(0.5) ? { itemId: dice.pick(IDS) } : {}),
      ...(dice.chance(0.4) ? { reasoningEncryptedContent: this.lie('stock-sealed') } : {}),
      ...(dice.chance(0.2) ? { type: 'compaction', encryptedContent: this.lie('stock-compaction') } : {}),
      ...(dice.chance(0.2) ? { approvalId: dice.pick(IDS), approvalRequestId: dice.pick(IDS) } : {}),
      ...(dice.chance(0.1) ? { phase: this.lie('phase') } : {}),
      ...(dice.chance(0.1) ? { namespace: this.lie('stock-call') } : {}),
      ...(dice.chance(0.1) ? { item: this.item('stock-call') } : {}),
    };
  }

  id(): string {
    return this.#dice.pick(IDS);
  }

  /** Under which an approval could have been asked for. */
  approvalId(): string {
    return this.#dice.pick([
      'responses-loop::c1',
      'responses-loop::c2',
      `responses-loop:${'ab'.repeat(32)}:c1`,
      'mcpr_1',
      'c1',
    ]);
  }

  words(): string {
    return this.#dice.pick(MEANINGFUL);
  }
}
