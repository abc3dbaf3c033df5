import { z } from 'zod';
import { TODO_ITEM } from '../protocol/events.js';
import type { CodingTool } from './context.js';

const MARKS = { pending: '[ ]', in_progress: '[>]', completed: '[x]' } as const;

const INPUT = z.object({
  todos: z
    .array(TODO_ITEM)
    .refine(
      (todos) => todos.filter(({ status }) => status === 'in_progress').length <= 1,
      'At most one todo may be in_progress.',
    )
    .describe('The whole list, in order. At most one is in_progress.'),
});

export const todoWrite: CodingTool<typeof INPUT> = {
  name: 'todo_write',
  description: 'Replaces the list of what is to do, which the user sees. Use it for tasks of several steps.',
  inputSchema: INPUT,
  readOnly: false,
  title: ({ todos }) => `Plan (${todos.filter(({ status }) => status === 'completed').length} of ${todos.length} done)`,
  execute: async ({ todos }, { extra }) => {
    extra.report({ type: 'todos', todos });
    return todos.length === 0
      ? 'The list is empty.'
      : todos.map(({ status, content }) => `${MARKS[status]} ${content}`).join('\n');
  },
};
