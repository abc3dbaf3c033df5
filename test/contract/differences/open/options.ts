import type { Major } from '../../sides.js';
import { ABSENT } from '../difference.js';
import type { OpenDifference } from './open-difference.js';

const LATER: readonly Major[] = [3, 4];

export const OPEN_OPTIONS: readonly OpenDifference[] = [
  {
    open: 'item 4',
    what: 'Arguments of a hosted tool that its schema refuses are sent',
    right: 'stock',
    why: 'A slip is found before anything is sent.',
    seen: [{ in: ['request/tool *'], fields: ['outcome'], values: [/^rejects AI_TypeValidationError/, 'answers'] }],
  },
  {
    open: 'item 4',
    what: '`forceReasoning` says that a model reasons, and is not believed',
    right: 'stock',
    why: 'Sampling settings are left out for models that reason, with a warning.',
    seen: [
      {
        in: ['request/together: forceReasoning and temperature'],
        fields: ['body.temperature'],
        values: [ABSENT, 0.5],
        of: LATER,
      },
      {
        in: ['request/together: forceReasoning and temperature'],
        fields: ['warnings[*]'],
        values: [/temperature/, ABSENT],
        of: LATER,
      },
    ],
  },
];
