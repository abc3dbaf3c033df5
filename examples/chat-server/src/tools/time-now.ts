import { z } from 'zod';
import { actionName } from './action-name.js';
import { defineTool } from './tool-def.js';

export const timeNow = defineTool({
  id: 'timeNow',
  description: 'The time and date now, in UTC and where the server is.',
  inputSchema: z.object({ actionName }),
  execute: async () => {
    const now = new Date();
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    return {
      ok: true,
      utc: now.toISOString(),
      local: now.toLocaleString('en-GB', { dateStyle: 'full', timeStyle: 'long' }),
      timeZone,
    };
  },
});
