import { ABSENT, ANY, STREAMS } from '../difference.js';
import type { OpenDifference } from './open-difference.js';

export const OPEN_RESULTS: readonly OpenDifference[] = [
  {
    open: 'cause 17',
    what: 'A call before a text of the same answer comes after it, and goes back that way',
    right: 'stock',
    why: 'Order of parts as the items had it, where nothing was streamed otherwise.',
    seen: [{ in: ['family/a call before a text'], fields: ['order', 'messages[*]', 'body.order'] }],
  },
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
  {
    open: 'item 5',
    what: 'Texts have no `citations`, as V4 knows them',
    right: 'stock',
    why: 'Apps of AI SDK 7 show them beside the text.',
    seen: [
      {
        in: ['openai-text*', 'written/url citation', 'written/file citation', 'written/container file citation'],
        fields: ['text[*].citations'],
        values: [ANY, ABSENT],
        of: [4],
      },
    ],
  },
];
