import { itemEvent, type ItemEvents, type ItemPlace } from './item-event-list.js';
import type { CallOutput } from './output-description.js';
import { argumentDeltas } from './split-deltas.js';

/** The events of a function call. */
export function callEvents(output: CallOutput, { index, suffix }: ItemPlace): ItemEvents {
  const id = output.id ?? `fc_${suffix}`;
  const deltas = argumentDeltas(writtenArguments(output.arguments));
  const place = { item_id: id, output_index: index };
  const item = {
    id,
    type: 'function_call',
    status: 'completed',
    arguments: deltas.join(''),
    call_id: output.callId ?? `call_${suffix}`,
    name: output.name,
  };
  return {
    opening: [itemEvent('added', index, { ...item, status: 'in_progress', arguments: '' })],
    deltas: deltas.map((delta) => ({ type: 'response.function_call_arguments.delta', ...place, delta })),
    closing: [
      {
        type: 'response.function_call_arguments.done',
        ...place,
        name: item.name,
        arguments: item.arguments,
      },
      itemEvent('done', index, item),
    ],
    item,
  };
}

function writtenArguments(given: CallOutput['arguments']): string | readonly string[] {
  return typeof given === 'string' || isDeltaList(given) ? given : JSON.stringify(given);
}

function isDeltaList(given: CallOutput['arguments']): given is readonly string[] {
  return Array.isArray(given);
}
