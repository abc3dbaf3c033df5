import type { ApprovalMode, Mode, SandboxMode } from '../protocol/settings.js';

/**
 * Which values of a workspace are stricter than what would hold without it. `never` runs more than the others where all is
 * allowed anyway, so it is never stricter; where nobody can be asked, every question is a no.
 */
const APPROVAL: Readonly<Record<'asked' | 'headless', Readonly<Record<ApprovalMode, readonly ApprovalMode[]>>>> = {
  asked: {
    unless_trusted: [],
    on_request: ['unless_trusted'],
    on_failure: ['on_request', 'unless_trusted'],
    never: [],
  },
  headless: {
    unless_trusted: [],
    on_request: ['unless_trusted'],
    on_failure: ['on_request', 'unless_trusted'],
    never: ['on_request', 'unless_trusted'],
  },
};

const SANDBOX: Readonly<Record<SandboxMode, readonly SandboxMode[]>> = {
  read_only: [],
  workspace_write: ['read_only'],
  danger_full_access: ['workspace_write', 'read_only'],
};

const MODE: Readonly<Record<Mode, readonly Mode[]>> = { work: ['plan'], plan: [] };

export function isStricter(name: string, value: unknown, than: unknown, isHeadless: boolean): boolean {
  const tables: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
    sandbox: SANDBOX,
    mode: MODE,
    approval: APPROVAL[isHeadless ? 'headless' : 'asked'],
  };
  return tables[name]?.[String(than)]?.includes(String(value)) ?? false;
}
