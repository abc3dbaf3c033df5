import { ABSENT, STREAMS } from '../difference.js';
import type { OpenDifference } from './open-difference.js';

export const OPEN_RESULTS: readonly OpenDifference[] = [
  {
    open: 'cause 18',
    what: '`partialImages`: no preliminary results',
    right: 'stock',
    why: 'The user sees the picture grow.',
    seen: [
      {
        in: ['family/image generation with partial images'],
        fields: ['results[*].preliminary'],
        values: [true, false],
        at: ['doStream'],
        of: [3, 4],
      },
      {
        in: ['family/image generation with partial images'],
        fields: ['results[*]'],
        values: [/AQI=|aGVsbG8=/, ABSENT],
        at: STREAMS,
        of: [3, 4],
      },
      {
        in: ['family/image generation with partial images'],
        fields: ['results[*].result.*', 'calls[*].*', 'files[*]', 'order', 'messages[*]'],
        of: [3, 4],
      },
    ],
  },
];
