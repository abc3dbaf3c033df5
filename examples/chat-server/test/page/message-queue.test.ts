import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MessageQueue } from '../../page/lib/message-queue.js';
import type { ChatPart } from '../../src/types.js';

class Kept {
  readonly texts = new Map<string, string>();
  getItem = (key: string): string | null => this.texts.get(key) ?? null;
  setItem = (key: string, text: string): void => void this.texts.set(key, text);
  removeItem = (key: string): void => void this.texts.delete(key);
}

const text = (said: string): readonly ChatPart[] => [{ type: 'text', text: said }];

describe('queued messages', () => {
  it('keep their order, whichever are taken, and are there again after a reload', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), fc.infiniteStream(fc.boolean()), (said, isTaken) => {
        const kept = new Kept();
        const queue = new MessageQueue('chat', kept);
        for (const one of said) queue.add(text(one));
        const left = queue.items().filter((item) => {
          if (isTaken.next().value !== true) return true;
          expect(queue.take(item.id)).toBe(item);
          return false;
        });
        expect(queue.items()).toEqual(left);
        expect(new MessageQueue('chat', kept).items()).toEqual(left);
        expect(new MessageQueue('other', kept).items()).toEqual([]);
        expect(kept.texts.size).toBe(left.length > 0 ? 1 : 0);
      }),
    );
  });

  it('are taken once, and one that was refused is the next again', () => {
    const queue = new MessageQueue('chat', new Kept());
    queue.add(text('one'));
    queue.add(text('two'));
    const [first, second] = queue.items();
    const taken = queue.take(first?.id ?? '');
    expect(queue.take(first?.id ?? '')).toBeUndefined();
    if (taken) queue.putBack(taken);
    expect(queue.items()).toEqual([first, second]);
  });

  it('stay in memory, if the browser keeps no more or has something else there', () => {
    const full = {
      removeItem: () => undefined,
      getItem: () => 'no JSON',
      setItem: (): void => {
        throw new DOMException('full', 'QuotaExceededError');
      },
    };
    const queue = new MessageQueue('chat', full);
    queue.add(text('one'));
    expect(queue.items()).toHaveLength(1);
  });
});
