import fc from 'fast-check';
import { expect, it } from 'vitest';
import { groupTools, isSwitchedOff, switched } from '../../page/lib/settings.js';
import type { SwitchedOff } from '../../src/types.js';

const name = fc.constantFrom('a', 'b', 'a/b', '"', '');
const ONES: fc.Arbitrary<SwitchedOff> = fc.oneof(
  fc.record({ kind: fc.constant('tool' as const), tool: name }),
  fc.record({ kind: fc.constant('server' as const), server: name }),
  fc.record({ kind: fc.constant('mcp' as const), server: name, tool: name }),
);

it('a switch turns what it names, nothing else, and stands once in the list', () => {
  fc.assert(
    fc.property(fc.array(ONES), ONES, ONES, fc.boolean(), (off, one, other, isOn) => {
      const after = switched(off, one, isOn);
      expect(isSwitchedOff(after, one)).toBe(!isOn);
      const isSame = JSON.stringify(one) === JSON.stringify(other);
      if (!isSame) expect(isSwitchedOff(after, other)).toBe(isSwitchedOff(off, other));
      expect(switched(after, one, isOn)).toEqual(after);
    }),
  );
});

it('a server that is off and away keeps its switch', () => {
  expect(groupTools([], [{ kind: 'server', server: 'docs' }]).servers).toEqual([{ server: 'docs', tools: [] }]);
});
