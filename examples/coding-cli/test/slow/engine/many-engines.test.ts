import { expect, test } from 'vitest';
import { runTasks } from '../../../bench/run-tasks.js';

test('several engines at once end each task as they should, though the server refuses requests', async () => {
  const { tasks, failures, refused } = await runTasks({ engines: 3, tasks: 6 });
  expect(failures).toEqual([]);
  expect(tasks).toBe(18);
  expect(refused).toBeGreaterThan(3);
});
