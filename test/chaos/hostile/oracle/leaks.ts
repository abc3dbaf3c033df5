import { deepText, shownOf } from '../../oracle/leaks.js';
import { leakIn } from '../../secrets.js';
import { OTHER_HOST } from '../mcp-modes.js';
import { eachOutcome, type HostileChecker } from './checker.js';

/** I25: no eight characters in a row of a secret in an error, a warning or metadata. */
export const secretsShown: HostileChecker = eachOutcome((outcome) =>
  shownOf(outcome).flatMap(({ where, text }) => {
    const leak = leakIn(text);
    return leak === undefined ? [] : [`${where} holds "${leak}"`];
  }),
);

/** I25: nor in an event. They are plain data. */
export const secretsInEvents: HostileChecker = ({ observation: { events } }) =>
  events.flatMap((event) => {
    const leak = leakIn(event.type === 'request' ? JSON.stringify(event) : deepText(event));
    return leak === undefined ? [] : [`event ${event.type} holds "${leak}"`];
  });

/** I25: nor in a log. */
export const secretsInLogs: HostileChecker = ({ observation: { logged } }) =>
  logged.flatMap((line) => {
    const leak = leakIn(line);
    return leak === undefined ? [] : [`a log line holds "${leak}": ${line.slice(0, 80)}`];
  });

/** A server's secrets stay at its host, whatever it redirects to. */
export const secretsElsewhere: HostileChecker = ({ observation: { mcp } }) =>
  mcp
    .filter(({ host }) => host === OTHER_HOST)
    .flatMap(({ headers, method }) => [
      `${method} went to another host`,
      ...(leakIn(JSON.stringify(headers)) === undefined ? [] : ['it took the secret along']),
    ]);
