import type { HostedTools, ProviderTool, ScenarioTool } from '../scenarios/scenario.js';
import type { Major } from '../sides.js';
import type { Answer } from './written.js';

/** A tool that the API declares, made by the stock package; with `execute` where the client runs it. */
export interface FamilyTool {
  readonly tool: string;
  readonly args?: object;
  /** What the client's part of it gives; the API runs the tool by itself where this is missing. */
  readonly output?: (input: unknown) => unknown;
}

/**
 * One way in which a kind of tool is used, from its declaration over its items, its parts and what the client does, to the
 * requests that follow: those of the turn, and the first one of the next turn.
 */
export interface Family {
  readonly name: string;
  /** By the name they have in the call. */
  readonly hosted?: Readonly<Record<string, FamilyTool>>;
  readonly functions?: readonly ScenarioTool[];
  /** What the server answers in the first turn, request by request. */
  readonly answers: readonly Answer[];
  /** What it answers once the user has decided on an approval that it asked for. */
  readonly approved?: { readonly decision: boolean; readonly answer: Answer };
  /** More options of the call. Every family is played with `store: false`, so that requests hold whole items. */
  readonly options?: Readonly<Record<string, unknown>>;
  /** What else the model is asked with; the SDK has words of its own for it and is not. */
  readonly call?: Readonly<Record<string, unknown>>;
  readonly since?: Major;
  readonly until?: Major;
}

/** The declared tool in the stock package's own form; none where this major has no such tool. */
export function madeTool({ tool, args, output }: FamilyTool, make: HostedTools): ProviderTool | undefined {
  const execute = output === undefined ? {} : { execute: async (input: unknown) => output(input) };
  return make[tool]?.({ ...args, ...execute });
}
