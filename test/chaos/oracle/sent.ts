import type { ModelCall } from '../observation.js';
import { promptOf } from '../log.js';
import { type Checker, eachCall, eachLane, partsOf } from './checker.js';
import { wrongInput } from './input.js';
import { controlIn, mayHoldHalves } from './plain-text.js';

/** I22: every item that is sent is what a message of its role may say. */
export const rolesAndTypes: Checker = eachLane(({ number, rounds }) => {
  const said = { system: new Set<string>(), user: new Set([promptOf(number)]), answered: new Set<string>() };
  return rounds.flatMap(({ request, index }) => [
    ...wrongInput(request.input, said).map((problem) => `request ${index}: ${problem}`),
    ...(mayHoldHalves(request.text) ? [`request ${index} holds half a pair`] : []),
  ]);
});

/** No control character stands in a warning or an error message as it came. */
export const plainMessages: Checker = eachCall((call) =>
  messagesOf(call).flatMap((text) => {
    const control = controlIn(text);
    return control === undefined ? [] : [`${control} stands in "${text.slice(0, 120)}"`];
  }),
);

function messagesOf({ parts, result, rejected }: ModelCall): string[] {
  const errors = [rejected?.error, ...partsOf(parts, 'error').map(({ error }) => error)];
  const warnings = [...(result?.warnings ?? []), ...partsOf(parts, 'stream-start').flatMap((part) => part.warnings)];
  return [
    ...errors.flatMap((error) => (error instanceof Error ? [error.message] : [])),
    ...warnings.map((warning) => ('message' in warning ? warning.message : JSON.stringify(warning))),
  ];
}
