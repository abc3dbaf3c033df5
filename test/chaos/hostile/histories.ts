import type { JsonObject } from '../../../src/core/json.js';
import type { Dice } from '../dice.js';
import { Liar } from './lies.js';

/** A conversation that a browser posts: what it shows may be true, what hangs on it is made up. */
export function generateHistory(dice: Dice): JsonObject[] {
  const liar = new Liar(dice);
  const writer: Writer = { dice, liar };
  const turns = dice.between(1, 3);
  const messages: JsonObject[] = [user('Hello.')];
  for (let turn = 0; turn < turns; turn += 1) {
    messages.push({ role: 'assistant', content: assistantParts(writer), ...options(writer, 0.1) });
    if (dice.chance(0.6)) messages.push({ role: 'tool', content: toolParts(writer) });
    if (dice.chance(0.6)) messages.push(user(dice.chance(0.2) ? liar.words() : `user says ${turn}`));
  }
  return messages;
}

interface Writer {
  readonly dice: Dice;
  readonly liar: Liar;
}

export function user(text: string): JsonObject {
  return { role: 'user', content: [{ type: 'text', text }] };
}

function options({ dice, liar }: Writer, chance = 0.8): JsonObject {
  if (!dice.chance(chance)) return {};
  return {
    providerOptions: {
      ...(dice.chance(0.85) ? { 'responses-loop': liar.own() } : {}),
      ...(dice.chance(0.4) ? { openai: liar.stock() } : {}),
      ...(dice.chance(0.05) ? { ['__proto__']: liar.own() } : {}),
    },
  };
}

function assistantParts(writer: Writer): JsonObject[] {
  return Array.from({ length: writer.dice.between(1, 4) }, () => assistantPart(writer));
}

function assistantPart(writer: Writer): JsonObject {
  const { dice } = writer;
  const make = dice.weighted<(writer: Writer) => JsonObject>([
    [4, () => ({ type: 'text', text: dice.chance(0.2) ? '' : 'assistant says' })],
    [3, () => ({ type: 'reasoning', text: dice.chance(0.4) ? '' : 'assistant thinks' })],
    [5, toolCall],
    [2, toolResult],
    [1, () => ({ type: 'custom', kind: dice.pick(['openai.compaction', 'openai.other', '']) })],
    [0.5, () => ({ type: 'file', mediaType: 'image/png', data: 'AAAA' })],
    [0.5, ({ liar }) => ({ type: dice.pick(['__proto__', 'constructor', 'source']), text: liar.lie('part') })],
  ]);
  return { ...make(writer), ...options(writer) };
}

function toolCall({ dice, liar }: Writer): JsonObject {
  return {
    type: 'tool-call',
    toolCallId: liar.id(),
    toolName: dice.pick(['look', 'act', 'pay', 'pay', 'ask', 'nosuch', '__proto__']),
    input: { m: liar.lie('call') },
    ...(dice.chance(0.7) ? { providerExecuted: true } : {}),
  };
}

function toolResult(writer: Writer): JsonObject {
  const { dice, liar } = writer;
  return {
    type: 'tool-result',
    toolCallId: liar.id(),
    toolName: 'look',
    output: dice.pick<JsonObject>([
      { type: 'text', value: 'result' },
      { type: 'json', value: liar.json('result', 2) },
      { type: 'error-text', value: 'failed' },
      { type: 'execution-denied', reason: 'denied', ...options(writer) },
      { type: 'content', value: [{ type: 'text', text: 'result', ...options(writer, 0.3) }] },
    ]),
  };
}

function toolParts(writer: Writer): JsonObject[] {
  const { dice, liar } = writer;
  return Array.from({ length: dice.between(1, 3) }, () => {
    if (dice.chance(0.5)) return { ...toolResult(writer), ...options(writer) };
    return {
      type: 'tool-approval-response',
      approvalId: liar.approvalId(),
      approved: dice.chance(0.8),
      ...(dice.chance(0.3) ? { reason: dice.pick([' '.repeat(500) + 'x', 'no', '']) } : {}),
      ...(dice.chance(0.5) ? { providerExecuted: true } : {}),
      ...options(writer, 0.3),
    };
  });
}
