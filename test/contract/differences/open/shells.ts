import type { Major } from '../../sides.js';
import { ABSENT, ANY, STREAMS } from '../difference.js';
import type { OpenDifference } from './open-difference.js';

const LATER: readonly Major[] = [3, 4];

export const OPEN_SHELLS: readonly OpenDifference[] = [
  {
    open: 'item 2',
    what: 'Patches, texts of custom tools and what the computer is to do are not streamed while they come',
    right: 'stock',
    why: 'A user sees them grow.',
    seen: [
      {
        in: ['family/patches*', 'family/custom tool *'],
        fields: ['inputs[*]'],
        values: [ANY, ABSENT],
        at: ['doStream'],
        of: LATER,
      },
      {
        in: ['family/patches*', 'family/custom tool *'],
        fields: ['order'],
        values: [/tool-input-end tool-call/, ANY],
        at: STREAMS,
        of: LATER,
      },
      { in: ['family/computer, *'], fields: ['inputs[*]'], values: [ANY, ABSENT], at: ['doStream'], of: [4] },
      {
        in: ['family/computer, *'],
        fields: ['order'],
        values: [/tool-input-end tool-call/, ANY],
        at: STREAMS,
        of: [4],
      },
    ],
  },
];
