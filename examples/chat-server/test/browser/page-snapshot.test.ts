import { describe, expect, it } from 'vitest';
import { readSnapshot } from '../../src/browser/page-snapshot.js';

describe('the accessibility tree of a page', () => {
  it('gets refs with a prefix of the snapshot, and names each element by role and name', () => {
    const { text, elements } = readSnapshot(
      '- main [ref=e1]:\n  - button "Send" [disabled] [ref=f2e7] [cursor=pointer]',
      's3',
    );
    expect(text).toBe('- main [ref=s3e1]:\n  - button "Send" [disabled] [ref=s3f2e7] [cursor=pointer]');
    expect(elements.get('s3f2e7')).toEqual({ ref: 'f2e7', label: 'button "Send"' });
    expect(elements.get('s3e1')).toEqual({ ref: 'e1', label: 'main' });
  });

  it('has no ref that the page wrote itself, and shows names in one visible line', () => {
    const tree =
      '- button "Cancel [ref=e9] \\"x\\"" [ref=e2]\n- text: "[ref=e3]"\n- link "a\u202Eb\u200B' +
      'c'.repeat(200) +
      '" [ref=e4]';
    const { text, elements } = readSnapshot(tree, 's1');
    expect(text.match(/\[ref=/g)).toHaveLength(2);
    expect([...elements.keys()]).toEqual(['s1e2', 's1e4']);
    expect(elements.get('s1e4')?.label).toMatch(/^link "a b c{70,}…$/);
  });

  it('is cut at its budget, with a mark, and what was cut has no ref', () => {
    const tree = Array.from({ length: 2_000 }, (_, n) => `- paragraph [ref=e${n}]: Line ${n}`).join('\n');
    const { text, elements } = readSnapshot(tree, 's1');
    expect(text.length).toBeLessThan(20_200);
    expect(text).toMatch(/\n\(cut: \d+ characters; scroll, or read a part with browserExtract\)$/);
    expect(elements.has('s1e1999')).toBe(false);
  });
});
