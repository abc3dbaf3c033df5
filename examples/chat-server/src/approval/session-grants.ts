import type { SessionStore } from '../store/session-store.js';
import { type GrantStore, isGranted } from './grants.js';

/** Grants in `session.json`; each is kept once. */
export function sessionGrants(sessions: SessionStore): GrantStore {
  return {
    list: async (sessionId) => (await sessions.get(sessionId)).grants,
    remove: async (sessionId, removed) => {
      await sessions.update(sessionId, ({ grants, updatedAt }) => ({
        grants: grants.filter((grant) => !isGranted(removed, grant)),
        updatedAt,
      }));
    },
    add: async (sessionId, grant) => {
      await sessions.update(sessionId, ({ grants, updatedAt }) => ({
        grants: isGranted(grants, grant) ? grants : [...grants, grant],
        updatedAt,
      }));
    },
  };
}
