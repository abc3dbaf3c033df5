import { controlIn, isWellFormed, mayHoldHalves } from '../../oracle/plain-text.js';
import { eachOutcome, type HostileChecker, leavesOf, messageOf, warningsOf } from './checker.js';

/** Everything that is sent is Unicode text. */
export const wellFormedBodies: HostileChecker = ({ observation: { posts } }) =>
  posts.flatMap(({ text, body }, at) => {
    const leaf = mayHoldHalves(text) ? leavesOf(body).find((one) => !isWellFormed(one.text)) : undefined;
    return leaf === undefined ? [] : [`request ${at} holds half a pair in ${leaf.path.join('.')}`];
  });

/** No control character of a server reaches a warning or an error message as it is. */
export const plainMessages: HostileChecker = eachOutcome((outcome) => {
  const { error } = outcome;
  const texts = [...warningsOf(outcome), ...(error === undefined ? [] : [messageOf(error)])];
  return texts.flatMap((text) => {
    const control = controlIn(text);
    return control === undefined ? [] : [`${control} stands in "${text.slice(0, 120)}"`];
  });
});

/** Nor a warning or an error in an event. */
export const plainEvents: HostileChecker = ({ observation: { events } }) =>
  events.flatMap((event) => {
    const text = 'message' in event ? event.message : 'reason' in event ? event.reason : undefined;
    const control = text === undefined ? undefined : controlIn(text);
    return control === undefined ? [] : [`${control} stands in the event ${event.type}`];
  });
