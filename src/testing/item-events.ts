import { callEvents } from './call-events.js';
import { itemEvent, type ItemEvents, type ItemPlace } from './item-event-list.js';
import { refusalEvents, textEvents } from './message-events.js';
import type { OtherOutput, OutputDescription } from './output-description.js';
import { reasoningEvents } from './reasoning-events.js';

/** Makes the events of one described item, as OpenAI orders them; `sequence_number` is added later. */
export function itemEvents(output: OutputDescription, place: ItemPlace): ItemEvents {
  switch (output.type) {
    case 'text':
      return textEvents(output, place);
    case 'refusal':
      return refusalEvents(output, place);
    case 'reasoning':
      return reasoningEvents(output, place);
    case 'call':
      return callEvents(output, place);
    case 'item':
      return otherEvents(output, place);
  }
}

function otherEvents({ item }: OtherOutput, { index }: ItemPlace): ItemEvents {
  return { opening: [itemEvent('added', index, item)], deltas: [], closing: [itemEvent('done', index, item)], item };
}
