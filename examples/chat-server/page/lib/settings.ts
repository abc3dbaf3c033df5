import type { Grant, SwitchedOff } from '../../src/types.js';
import { api, ApiError } from './api.js';
import type { SessionView } from './api-types.js';

/** A tool that can be switched off. */
export interface ToolItem {
  readonly id: string;
  readonly description?: string;
  /** Why the model does not get it on this machine. */
  readonly missing?: string;
  readonly source: string;
  readonly tool: SwitchedOff;
}

/** "Always in this chat", as the server lists it. */
export type GrantItem = Grant & { readonly id: string };

export interface ChatSettings {
  readonly instructions: string;
  readonly off: readonly SwitchedOff[];
}

export interface ServerTools {
  readonly server: string;
  readonly tools: readonly ToolItem[];
}

const NOTHING_SET: ChatSettings = { instructions: '', off: [] };

/** New chats that were made on the server for their settings, before any message. */
const made = new Set<string>();

/** A chat by its id; a new one is on the server only once something was set. */
export interface ChatPlace {
  readonly sessionId: string;
  readonly isNew: boolean;
}

export async function readSettings(place: ChatPlace): Promise<ChatSettings> {
  if (isNowhere(place)) return NOTHING_SET;
  const { instructions, off = [] } = await api<SessionView>('GET', `/api/sessions/${place.sessionId}`);
  return { instructions, off };
}

/** Makes a new chat: its first message finds the settings. */
export async function saveSettings(place: ChatPlace, change: Partial<ChatSettings>): Promise<ChatSettings> {
  const { sessionId } = place;
  if (isNowhere(place)) {
    await unless('session_exists', api('POST', '/api/sessions', { id: sessionId }));
    made.add(sessionId);
  }
  const { instructions, off = [] } = await api<SessionView>('PATCH', `/api/sessions/${sessionId}`, change);
  return { instructions, off };
}

/** Changes of each chat that are not answered yet, and whether all of them could be saved. */
const changes = new Map<string, Promise<boolean>>();

/** Changes follow each other: each begins with what the one before came to. `make` gives whether it was saved. */
export function changeInOrder(sessionId: string, make: () => Promise<boolean>): Promise<boolean> {
  const before = changes.get(sessionId) ?? Promise.resolve(true);
  const change = before.then(make);
  const all = Promise.all([before, change]).then(([areOthers, isThis]) => areOthers && isThis);
  changes.set(sessionId, all);
  void all.then(() => changes.get(sessionId) === all && changes.delete(sessionId));
  return change;
}

export const UNSAVED =
  'A setting of this chat could not be saved, so nothing was sent. Look at the settings, and send again.';

/** Waits for what is being saved: a message that is sent later finds it. */
export async function areSettingsSaved(sessionId: string): Promise<boolean> {
  return changes.get(sessionId) ?? true;
}

export async function readGrants(place: ChatPlace): Promise<readonly GrantItem[]> {
  return isNowhere(place) ? [] : api<readonly GrantItem[]>('GET', `/api/sessions/${place.sessionId}/grants`);
}

/** What was taken back elsewhere is gone, too. */
export async function removeGrant({ sessionId }: ChatPlace, { id }: GrantItem): Promise<void> {
  await unless('no_such_grant', api('DELETE', `/api/sessions/${sessionId}/grants/${id}`));
}

export function isSwitchedOff(off: readonly SwitchedOff[], tool: SwitchedOff): boolean {
  return off.some((one) => keyOf(one) === keyOf(tool));
}

export function switched(off: readonly SwitchedOff[], tool: SwitchedOff, isOn: boolean): readonly SwitchedOff[] {
  const others = off.filter((one) => keyOf(one) !== keyOf(tool));
  return isOn ? others : [...others, tool];
}

/** Tools of the app, and those of MCP servers by server. A server that is off or away keeps its switch. */
export function groupTools(
  tools: readonly ToolItem[],
  off: readonly SwitchedOff[],
): { readonly own: readonly ToolItem[]; readonly servers: readonly ServerTools[] } {
  const servers = new Map<string, ToolItem[]>();
  for (const one of off) if (one.kind === 'server') servers.set(one.server, []);
  for (const item of tools) {
    if (item.tool.kind !== 'mcp') continue;
    const { server } = item.tool;
    servers.set(server, [...(servers.get(server) ?? []), item]);
  }
  return {
    own: tools.filter(({ tool }) => tool.kind === 'tool'),
    servers: [...servers].map(([server, items]) => ({ server, tools: items })),
  };
}

function keyOf(one: SwitchedOff): string {
  return JSON.stringify([one.kind, 'server' in one ? one.server : '', 'tool' in one ? one.tool : '']);
}

function isNowhere({ sessionId, isNew }: ChatPlace): boolean {
  return isNew && !made.has(sessionId);
}

async function unless(code: string, answer: Promise<unknown>): Promise<void> {
  try {
    await answer;
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== code) throw error;
  }
}
