import { secretOf } from '../secrets.js';
import type { KeyPlan } from './scenario.js';

export function keysOf({ count, prefix }: KeyPlan): string[] {
  return Array.from({ length: count }, (_, number) => prefix + secretOf(number));
}

export const MCP_SECRET = secretOf(90_001);
export const HISTORY_SECRET = 'a secret of the app that signs histories';
