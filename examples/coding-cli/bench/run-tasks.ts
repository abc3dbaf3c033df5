// Several engines at once against one server that sometimes fails: how many tasks do not end as they should.
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createScriptedServer, type ScriptedRequest, type ScriptedServer } from 'responses-loop/testing';
import { createResponsesProvider } from 'responses-loop/v3';
import { loadSettings } from '../src/config/load.js';
import { createEngine } from '../src/engine/create-engine.js';
import type { Engine } from '../src/engine/engine.js';

export interface TaskRun {
  readonly tasks: number;
  /** What went wrong, a line for each task. */
  readonly failures: readonly string[];
  /** Requests that the server refused; they are made again. */
  readonly refused: number;
}

/** Runs so many tasks in each of several engines at once. Each task writes a file, reads it and answers. */
export async function runTasks({
  engines,
  tasks,
}: {
  readonly engines: number;
  readonly tasks: number;
}): Promise<TaskRun> {
  let refused = 0;
  const refusedSteps = new Set<string>();
  await using server = await createScriptedServer({
    otherwise: (request) => {
      const step = stepOf(request);
      // Two in seventeen, but each step of a task once at most: three in a row end a task, as they should.
      if ([3, 11].includes(request.index % 17) && !refusedSteps.has(step)) {
        refusedSteps.add(step);
        refused += 1;
        return { status: request.index % 2 === 0 ? 429 : 503, json: { error: { message: 'Busy.' } } };
      }
      return { ...answer(request), id: `resp_${request.index}` };
    },
  });
  const runs = Array.from({ length: engines }, (_, index) => runInOne(server, `e${index}`, tasks));
  const failures = (await Promise.all(runs)).flat();
  return { tasks: engines * tasks, failures, refused };
}

/** The name of the task, and how many of its calls have run. */
function placeOf({ input }: ScriptedRequest) {
  const lastUser = input.findLastIndex((item) => item['role'] === 'user');
  const [name = ''] = /\w+-\d+/.exec(JSON.stringify(input[lastUser])) ?? [];
  const outputs = input.slice(lastUser).filter((item) => item['type'] === 'function_call_output').length;
  return { name, outputs };
}

function stepOf(request: ScriptedRequest): string {
  const { name, outputs } = placeOf(request);
  return `${name} ${outputs}`;
}

function answer(request: ScriptedRequest) {
  const { name, outputs } = placeOf(request);
  const path = `${name}.txt`;
  if (outputs === 0)
    return { output: [{ type: 'call' as const, name: 'write', arguments: { path, content: `of ${name}` } }] };
  if (outputs === 1) return { output: [{ type: 'call' as const, name: 'read', arguments: { path } }] };
  return { output: [{ type: 'text' as const, text: `Done ${name}.` }] };
}

async function runInOne(server: ScriptedServer, name: string, tasks: number): Promise<string[]> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'coder-tasks-')));
  const { settings } = loadSettings({ flags: {}, env: { CODER_HOME: join(root, 'home') }, cwd: root, workspace: root });
  const engine = await createEngine({
    settings,
    isHeadless: true,
    openModel: async (more) => {
      const retry = { initialDelayMs: 1 };
      const provider = createResponsesProvider({ ...more, baseURL: server.baseURL, apiKey: 'test', retry });
      const facts = { stockProvider: undefined, server: undefined, isStandIn: false, model: 'any', label: 'a script' };
      return { ...facts, provider, models: async () => ['any'], close: () => provider.close() };
    },
  });
  try {
    return await follow(engine, { root, name, tasks });
  } finally {
    await engine.close();
    rmSync(root, { recursive: true, force: true });
  }
}

async function follow(
  engine: Engine,
  { root, name, tasks }: { readonly root: string; readonly name: string; readonly tasks: number },
): Promise<string[]> {
  const failures: string[] = [];
  let count = 0;
  const next = (): void => engine.submit({ id: `t${count}`, op: { type: 'user_input', text: `Do ${name}-${count}` } });
  next();
  for await (const { msg } of engine.events) {
    if (msg.type !== 'task_complete' && msg.type !== 'turn_aborted') continue;
    const task = `${name}-${count}`;
    const said = msg.type === 'task_complete' ? msg.data.last_agent_message : `aborted: ${msg.data.reason}`;
    if (said !== `Done ${task}.`) failures.push(`${task}: ${said}`);
    else if (readFileSync(join(root, `${task}.txt`), 'utf8') !== `of ${task}`) failures.push(`${task}: another file`);
    count += 1;
    if (count === tasks) break;
    next();
  }
  return failures;
}
