import { onTestFinished } from 'vitest';
import {
  createResponsesProvider,
  type Journal,
  type JournalStep,
  type LocalTool,
  type ObserverEvent,
  type ResponsesProviderSettings,
} from 'responses-loop';
import {
  type OutputDescription,
  responseBody,
  responseEvents,
  scriptedFetch,
  type ScriptedFetch,
  type ScriptedRequest,
  type ScriptedStep,
} from 'responses-loop/testing';

/** Steps and records of a loop, as an engine has them. */
export class Kept {
  readonly records = new Map<string, Record<string, unknown>>();
  readonly steps: JournalStep[] = [];
  readonly log: string[] = [];

  /** For one attempt. `before` may reject a step, or hold it up. */
  journal(before: (step: JournalStep) => unknown = () => undefined): Journal {
    return {
      step: async <T>(step: JournalStep, run: () => Promise<T>): Promise<T> => {
        this.steps.push(step);
        this.log.push(`begin ${step.key}`);
        await before(step);
        const known = this.records.get(step.key);
        if (known !== undefined) return structuredClone(known) as T;
        const result = await run();
        const json = JSON.stringify(result);
        this.records.set(step.key, JSON.parse(json) as Record<string, unknown>);
        this.log.push(`keep ${step.key}`);
        return JSON.parse(json) as T;
      },
    };
  }

  get keys(): string[] {
    return this.steps.map(({ key }) => key);
  }
}

export interface Attempt {
  readonly provider: ReturnType<typeof createResponsesProvider>;
  readonly events: readonly ObserverEvent[];
  readonly requests: readonly ScriptedRequest[];
  readonly fetch: ScriptedFetch;
}

/** A provider with a journal, as a process has it that takes the loop up. */
export function attempt(
  journal: ResponsesProviderSettings['journal'],
  steps: readonly ScriptedStep[],
  settings: ResponsesProviderSettings = {},
): Attempt {
  const events: ObserverEvent[] = [];
  const fetch = scriptedFetch(steps);
  const provider = createResponsesProvider({
    baseURL: 'http://localhost/v1',
    apiKey: 'sk-secret-1234567890',
    backend: 'openai',
    fetch,
    journal,
    onEvent: (event) => events.push(event),
    ...settings,
  });
  onTestFinished(() => provider.close());
  return { provider, events, requests: fetch.requests, fetch };
}

/** An answer with these calls, each a name; ids are made of the response's. */
export function calls(id: string, ...names: readonly string[]): ScriptedStep {
  return answer(
    id,
    names.map((name, at) => ({ type: 'call', name, arguments: { at }, callId: `${id}_${at}` })),
  );
}

export function says(id: string, text: string): ScriptedStep {
  return answer(id, [{ type: 'text', text }]);
}

export function answer(id: string, output: readonly OutputDescription[]): ScriptedStep {
  return ({ body }) =>
    body['stream'] === true ? responseEvents({ id, output }) : { json: responseBody({ id, output }) };
}

export function tool(log: string[], name: string, about: Partial<LocalTool> = {}): LocalTool {
  return {
    description: name,
    inputSchema: { type: 'object', properties: {} },
    execute: (_args, { toolCallId }) => {
      log.push(`run ${toolCallId}`);
      return `${name} says so`;
    },
    ...about,
  };
}
