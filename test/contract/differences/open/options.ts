import type { OpenDifference } from './open-difference.js';

export const OPEN_OPTIONS: readonly OpenDifference[] = [
  {
    open: 'item 4',
    what: 'Arguments of a hosted tool that its schema refuses are sent',
    right: 'stock',
    why: 'A slip is found before anything is sent.',
    seen: [{ in: ['request/tool *'], fields: ['outcome'], values: [/^rejects AI_TypeValidationError/, 'answers'] }],
  },
];
