import type { DriverEventType, DriverStreamEvent, EventData } from '../types/events.js';

/** An event that happens now. */
export function event<Type extends DriverEventType>(type: Type, data: EventData<Type>): DriverStreamEvent {
  return { type, timestamp: Date.now(), data } as DriverStreamEvent;
}
