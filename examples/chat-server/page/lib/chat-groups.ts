import type { SessionItem } from './api-types.js';

export interface ChatGroup {
  readonly name: string;
  readonly items: readonly SessionItem[];
}

const DAYS: readonly (readonly [name: string, days: number])[] = [
  ['Today', 0],
  ['Yesterday', 1],
  ['Previous 7 days', 7],
  ['Previous 30 days', 30],
];

/** Chats by the day of their last change, in the order in which they come; pinned ones by themselves. */
export function groupsOf(items: readonly SessionItem[], now = new Date()): readonly ChatGroup[] {
  const groups = new Map<string, SessionItem[]>();
  for (const item of items) {
    const name = item.isPinned && !item.isArchived ? 'Pinned' : dayName(new Date(item.updatedAt), now);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [item]);
    else group.push(item);
  }
  return [...groups].map(([name, found]) => ({ name, items: found }));
}

function dayName(time: Date, now: Date): string {
  // Days of the calendar, which may have 23 or 25 hours.
  const isSince = (days: number): boolean => time >= new Date(now.getFullYear(), now.getMonth(), now.getDate() - days);
  const [name] = DAYS.find(([, days]) => isSince(days)) ?? [];
  return name ?? time.toLocaleDateString('en', { month: 'long', year: 'numeric' });
}
