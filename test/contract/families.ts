import { ANSWERS, SERVER_TOOLS } from './families/server-tools.js';
import { COMPUTERS } from './families/computers.js';
import type { Family } from './families/family.js';
import { CUSTOM, TOOL_SEARCHES } from './families/searches.js';
import { SHELLS } from './families/shells.js';

/** Every kind of tool that the API declares, and who runs it. */
export const FAMILIES: readonly Family[] = [
  ...SHELLS,
  ...COMPUTERS,
  ...CUSTOM,
  ...TOOL_SEARCHES,
  ...SERVER_TOOLS,
  ...ANSWERS,
];
