import type { JsonObject } from '../../../src/core/json.js';
import type { Family } from './family.js';
import { item, says } from './written.js';

const done = says('Done.');
const PIXEL = 'data:image/png;base64,AQID';
const CHECKS = [{ id: 'cs_1', code: 'malicious_instructions', message: 'Careful.' }];

const computerCall = (fields: JsonObject) =>
  item('computer_call', { id: 'cu_1', call_id: 'call_1', pending_safety_checks: [], ...fields });

const ACTIONS: JsonObject[] = [
  { type: 'click', button: 'left', x: 1, y: 2 },
  { type: 'double_click', x: 1, y: 2, keys: ['shift'] },
  {
    type: 'drag',
    path: [
      { x: 1, y: 2 },
      { x: 3, y: 4 },
    ],
  },
  { type: 'keypress', keys: ['enter'] },
  { type: 'move', x: 1, y: 2 },
  { type: 'screenshot' },
  { type: 'scroll', x: 1, y: 2, scroll_x: 0, scroll_y: 5 },
  { type: 'type', text: 'ducks' },
  { type: 'wait' },
];

const screenshot = (more: object = {}) => ({ output: { type: 'computer_screenshot', imageUrl: PIXEL, ...more } });

/** The computer that the client drives. */
export const COMPUTERS: readonly Family[] = [
  {
    name: 'computer, every action',
    hosted: { computer: { tool: 'computer', output: () => screenshot({ detail: 'original' }) } },
    answers: [{ output: [computerCall({ actions: ACTIONS })] }, { id: 'resp_2', output: [done] }],
    since: 4,
  },
  {
    name: 'computer, the one action of older models',
    hosted: { screen: { tool: 'computer', output: () => screenshot() } },
    answers: [
      { output: [computerCall({ action: { type: 'scroll', x: 1, y: 2, scroll_x: 0, scroll_y: 5 } })] },
      { id: 'resp_2', output: [done] },
    ],
    since: 4,
  },
  {
    name: 'computer, safety checks and a file',
    hosted: {
      computer: {
        tool: 'computer',
        output: () => ({
          output: { type: 'computer_screenshot', fileId: 'file-1' },
          acknowledgedSafetyChecks: CHECKS,
        }),
      },
    },
    answers: [
      { output: [computerCall({ actions: [{ type: 'screenshot' }], pending_safety_checks: CHECKS })] },
      { id: 'resp_2', output: [done] },
    ],
    since: 4,
  },
];
