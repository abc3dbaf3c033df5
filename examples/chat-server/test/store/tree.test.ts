import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MessageTree } from '../../src/store/tree.js';
import { message } from '../support/messages.js';

const at = (second: number): string => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
const ids = (tree: MessageTree, leaf: string | null): string[] => tree.pathTo(leaf).map(({ id }) => id);

describe('MessageTree', () => {
  const tree = new MessageTree([
    message('u1', { createdAt: at(1) }),
    message('a2', { parentMessageId: 'u1', createdAt: at(5) }),
    message('a1', { parentMessageId: 'u1', createdAt: at(2) }),
    message('u2', { parentMessageId: 'a1', createdAt: at(6) }),
    message('lost', { parentMessageId: 'nowhere', createdAt: at(7) }),
  ]);

  it('gives the path from the root to a leaf', () => {
    expect(ids(tree, 'u2')).toEqual(['u1', 'a1', 'u2']);
  });

  it('orders siblings by time, and those of one time as they stand in the file', () => {
    const [answer] = tree.pathTo('a2').slice(-1);
    expect(answer && tree.siblingsOf(answer)).toEqual(['a1', 'a2']);
    const same = new MessageTree(['b', 'a', 'c'].map((id) => message(id)));
    expect(same.siblingsOf(message('a'))).toEqual(['b', 'a', 'c']);
  });

  it('takes a message without its parent for a root', () => {
    expect(ids(tree, 'lost')).toEqual(['lost']);
    expect(tree.siblingsOf(message('lost', { parentMessageId: 'nowhere' }))).toEqual(['u1', 'lost']);
  });

  it('ends a branch at its newest message', () => {
    expect(tree.newestLeafBelow('u1')).toBe('a2');
    expect(tree.newestLeafBelow('a1')).toBe('u2');
  });

  it('goes to the newest message where no leaf is known', () => {
    expect(ids(tree, null)).toEqual(['lost']);
    expect(ids(new MessageTree([]), null)).toEqual([]);
  });

  it('comes to an end whatever the parents are, and each path is a chain of parents', () => {
    const names = ['a', 'b', 'c', 'd', 'e'];
    const parent = fc.option(fc.constantFrom(...names, 'none'), { nil: null });
    fc.assert(
      fc.property(fc.tuple(parent, parent, parent, parent, parent), (parents) => {
        const messages = names.map((id, n) => message(id, { parentMessageId: parents[n] ?? null, createdAt: at(n) }));
        const any = new MessageTree(messages);
        for (const id of names) {
          const path = any.pathTo(id);
          expect(path.at(-1)?.id).toBe(id);
          expect(new Set(path).size).toBe(path.length);
          for (const [n, { id: before }] of path.slice(0, -1).entries()) {
            expect(path[n + 1]?.parentMessageId).toBe(before);
          }
          expect(names).toContain(any.newestLeafBelow(id));
          expect(any.siblingsOf(path.at(-1) ?? message('x'))).toContain(id);
        }
      }),
      { numRuns: 200 },
    );
  });
});
