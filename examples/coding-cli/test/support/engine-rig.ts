import { join } from 'node:path';
import { scriptedFetch } from 'responses-loop/testing';
import { createResponsesProvider } from 'responses-loop/v3';
import { onTestFinished } from 'vitest';

import { type Loaded, loadSettings } from '../../src/config/load.js';
import type { SettingName } from '../../src/config/schema.js';
import { createEngine } from '../../src/engine/create-engine.js';
import type { Engine, EngineOptions } from '../../src/engine/engine.js';
import type { CoderEvent, EventData, EventMessage, EventType } from '../../src/protocol/events.js';
import type { Op } from '../../src/protocol/submissions.js';
import { newFolder } from './folders.js';

export type Steps = Parameters<typeof scriptedFetch>[0];

export interface RigOptions extends Partial<
  Pick<EngineOptions, 'isHeadless' | 'approvalTimeoutMs' | 'outputSchema' | 'runTools' | 'tools' | 'named'>
> {
  readonly flags?: Partial<Record<SettingName, unknown>>;
  readonly workspace?: string;
  readonly home?: string;
  readonly otherwise?: NonNullable<Parameters<typeof scriptedFetch>[1]>['otherwise'];
}

/** An engine whose model says what the test says, and what came out of it. */
export interface Rig {
  readonly engine: Engine;
  readonly events: CoderEvent[];
  readonly requests: ReturnType<typeof scriptedFetch>['requests'];
  readonly workspace: string;
  readonly home: string;
  readonly settings: Loaded['settings'];
  submit(op: Op, id?: string): string;
  /** Waits for an event: the first that fits, also one that has come already. */
  seen<Type extends EventType>(
    type: Type,
    fits?: (data: EventData<Type>, event: CoderEvent) => boolean,
  ): Promise<EventData<Type>>;
  /** Sends a text and waits until its task is over. */
  say(text: string): Promise<EventMessage>;
  data<Type extends EventType>(type: Type): EventData<Type>[];
  close(): Promise<void>;
  /** The same session in another engine, as another process would open it. */
  reopen(steps: Steps, options?: RigOptions): Promise<Rig>;
}

let ids = 0;

export async function startEngine(
  steps: Steps,
  options: RigOptions = {},
  resume?: EngineOptions['resume'],
): Promise<Rig> {
  const workspace = options.workspace ?? newFolder();
  const home = options.home ?? newFolder();
  const fetch = scriptedFetch(steps, options.otherwise === undefined ? {} : { otherwise: options.otherwise });
  const { settings } = loadSettings({
    flags: options.flags ?? {},
    env: { CODER_HOME: home },
    cwd: workspace,
    workspace,
    ...(options.isHeadless === undefined ? {} : { isHeadless: options.isHeadless }),
  });
  const engine = await createEngine({
    ...options,
    settings,
    resume,
    openModel: async (more) => {
      const provider = createResponsesProvider({ ...more, apiKey: 'test', fetch, retry: { initialDelayMs: 1 } });
      return {
        provider,
        stockProvider: undefined,
        server: undefined,
        isStandIn: false,
        models: async () => ['m'],
        model: 'any',
        label: 'a script',
        close: () => provider.close(),
      };
    },
  });
  return watch(engine, { workspace, home, settings, requests: fetch.requests });
}

function watch(engine: Engine, facts: Pick<Rig, 'workspace' | 'home' | 'settings' | 'requests'>): Rig {
  const events: CoderEvent[] = [];
  const watchers = new Set<() => void>();
  void (async () => {
    for await (const event of engine.events) {
      events.push(event);
      for (const watcher of watchers) watcher();
    }
    for (const watcher of watchers) watcher();
  })();
  onTestFinished(() => engine.close());
  const find = (fits: (event: CoderEvent) => boolean): Promise<CoderEvent> =>
    new Promise((resolve) => {
      const watcher = (): void => {
        const event = events.find(fits);
        if (event === undefined) return;
        watchers.delete(watcher);
        resolve(event);
      };
      watchers.add(watcher);
      watcher();
    });
  const submit: Rig['submit'] = (op, id = `t${(ids += 1)}`) => {
    engine.submit({ id, op });
    return id;
  };
  return {
    ...facts,
    engine,
    events,
    submit,
    seen: async (type, fits = () => true) =>
      (await find((event) => event.msg.type === type && fits(event.msg.data as never, event))).msg.data as never,
    say: async (text) => {
      const id = submit({ type: 'user_input', text });
      return (await find((event) => event.id === id && isEnd(event))).msg;
    },
    data: (type) => events.filter(({ msg }) => msg.type === type).map(({ msg }) => msg.data as never),
    close: () => engine.close(),
    reopen: async (steps, options = {}) => {
      const { session_id: id, rollout_path: rollout } = engine.session;
      const folder = join(rollout, '..', id);
      const place = {
        rollout,
        lock: `${rollout}.lock`,
        before: join(folder, 'before'),
        outputs: join(folder, 'outputs'),
        images: join(folder, 'images'),
      };
      return startEngine(steps, { ...facts, ...options }, { id, place });
    },
  };
}

function isEnd({ msg }: CoderEvent): boolean {
  return msg.type === 'task_complete' || msg.type === 'turn_aborted';
}

/** A call of a tool, as the script has it. */
export function call(name: string, args: Record<string, unknown>, callId?: string) {
  return { type: 'call' as const, name, arguments: args as never, ...(callId === undefined ? {} : { callId }) };
}
