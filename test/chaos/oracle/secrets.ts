import { leakIn, SEALED } from '../secrets.js';
import type { Checker } from './checker.js';
import { deepText, shownOf } from './leaks.js';

/** I18, I25: nothing that was planted comes out again in an error, an event, metadata or a warning. */
export const secrets: Checker = ({ observation }) => {
  const { events, lanes } = observation;
  const shown = [
    ...events.map((event) => ({ where: `event ${event.type}`, text: deepText(event) })),
    ...lanes.flatMap((lane) =>
      lane.calls.flatMap(({ parts, result, rejected }) => shownOf({ parts, result, error: rejected?.error })),
    ),
    ...lanes.map((lane) => ({ where: 'error of the SDK', text: deepText(lane.sdk.rejected) })),
  ];
  return shown.flatMap(({ where, text }) => {
    const leak = leakIn(text) ?? (text.includes(SEALED) ? SEALED : undefined);
    return leak === undefined ? [] : [`${where} holds "${leak}"`];
  });
};
