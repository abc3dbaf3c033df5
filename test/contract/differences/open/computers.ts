import { ABSENT, ANY } from '../difference.js';
import type { OpenDifference } from './open-difference.js';

const COMPUTER = ['family/computer, *'];
const SAFE = ['family/computer, safety checks and a file'];
const SHOWN = ['family/computer, every action', 'family/computer, the one action of older models'];

export const OPEN_COMPUTERS: readonly OpenDifference[] = [
  {
    open: 'cause 6',
    what: 'Computer: the input fails the tool’s own schema; the screenshot and the acknowledged checks are not sent',
    right: 'stock',
    why: 'The tool of the SDK cannot be used otherwise.',
    seen: [
      {
        in: COMPUTER,
        fields: ['calls[*].input.pendingSafetyChecks', 'calls[*].input.status'],
        values: [ANY, ABSENT],
        of: [4],
      },
      { in: COMPUTER, fields: ['calls[*].input.pending_safety_checks'], values: [ABSENT, ANY], of: [4] },
      { in: ['family/computer, every action'], fields: ['calls[*].input.actions[*].*'], of: [4] },
      {
        in: ['family/computer, the one action of older models'],
        fields: ['calls[*].input.actions', 'calls[*].input.action', 'body.items.*.actions', 'body.items.*.action'],
        of: [4],
      },
      {
        in: COMPUTER,
        fields: ['calls[*].invalid', 'calls[*].dynamic'],
        values: [false, true],
        at: ['streamText', 'generateText'],
        of: [4],
      },
      { in: COMPUTER, fields: ['results[*]'], values: [/screenshot/, ABSENT], of: [4] },
      {
        in: COMPUTER,
        fields: ['order'],
        values: [/tool-call tool-result/, /tool-call tool-error/],
        at: ['streamText'],
        of: [4],
      },
      { in: SHOWN, fields: ['body.items.*.output.image_url'], values: [/^data:/, ABSENT], of: [4] },
      {
        in: ['family/computer, every action'],
        fields: ['body.items.*.output.detail'],
        values: ['original', ABSENT],
        of: [4],
      },
      {
        in: SAFE,
        fields: ['body.items.*.output.file_id', 'body.items.*.acknowledged_safety_checks'],
        values: [ANY, ABSENT],
        of: [4],
      },
    ],
  },
];
