import {
  type OutputDescription,
  type ResponseDescription,
  responseEvents,
  type ScriptedEvent,
} from 'responses-loop/testing';
import { mangle } from './mangle.js';
import type { AnswerExchange, CallItem, Item } from './scenario.js';
import { echoed } from './secrets.js';

/** An event together with the item it is about, whatever ids it still bears; -1 is about none. */
export interface Tagged {
  readonly item: number;
  readonly event: ScriptedEvent;
}

/** Everything an exchange would say if nothing broke. The terminal event is the last one. */
function eventsOf(exchange: AnswerExchange): Tagged[] {
  const described = responseEvents(describe(exchange));
  const tagged = described.map((event) => ({ item: itemOf(event), event }));
  return mangle(tagged, exchange);
}

/** What goes out: up to where the stream breaks. */
export function sentEvents(exchange: AnswerExchange): Tagged[] {
  const events = eventsOf(exchange);
  return exchange.stopAfter === undefined ? events : events.slice(0, exchange.stopAfter);
}

/** Whether the terminal event is among what goes out. */
export function isWhole(exchange: AnswerExchange): boolean {
  return exchange.stopAfter === undefined || exchange.stopAfter >= eventsOf(exchange).length;
}

export function describe(exchange: AnswerExchange): ResponseDescription {
  const { responseId, status, interleave, error, items } = exchange;
  const failure = { code: error.code, message: `It went wrong. ${error.echoesKey ? echoed() : ''}` };
  return {
    id: responseId,
    output: items.map(describeItem),
    interleaveCalls: interleave,
    status: status === 'error' ? 'none' : status,
    error: failure,
    fields: { service_tier: 'chaos' },
  };
}

function describeItem(item: Item, at: number): OutputDescription {
  if (item.type === 'text') return { type: 'text', text: item.text };
  if (item.type === 'call') {
    return { type: 'call', name: item.name, arguments: argumentsOf(item), callId: item.callId };
  }
  return { type: 'reasoning', summary: [item.text], ...(item.sealed ? { encrypted: sealedContent(at) } : {}) };
}

/** Planted: must be replayed to who made it, and be seen nowhere else. */
function sealedContent(at: number): string {
  return `SEALED-REASONING-${at}-do-not-show`;
}

export function argumentsOf(call: CallItem): string {
  if (call.broken) return `{"m":"${call.marker}","do":`;
  if (call.name === 'echo') return JSON.stringify({ message: call.marker });
  if (call.name === 'trigger-long-running-operation') return JSON.stringify({ duration: 2, steps: 2, m: call.marker });
  return JSON.stringify({ m: call.marker, do: call.does, note: 'ß漢🦆 "quoted"' });
}

function itemOf(event: ScriptedEvent): number {
  const index = event['output_index'];
  return typeof index === 'number' ? index : -1;
}
