import { expect, it } from 'vitest';
import { describeError } from '../../src/chat/describe-error.js';

const URL_OF_MODEL = 'https://ann:pass@gw.example.com/u/known-key/v1/responses?key=hidden';
const failure = (facts: object): Error => Object.assign(new Error('It failed (bad_thing)'), facts);

it.each([
  [401, 'Check the key you started chat-server with'],
  [403, 'Check the key you started chat-server with'],
  [404, 'Check the name of the model and --base-url'],
  [429, 'Wait a moment and regenerate'],
  [503, 'Regenerate. If it fails again'],
])('an error with the status %i names its remedy, and not where the request went', (statusCode, remedy) => {
  const { message } = describeError(failure({ statusCode, url: URL_OF_MODEL }));
  expect(message).toMatch(/^It failed \(bad_thing\) /);
  expect(message).toContain(remedy);
  expect(message).not.toContain('gw.example.com');
});

it('the last of several tries is the one that is described', () => {
  const lastError = failure({ statusCode: 401, url: URL_OF_MODEL });
  expect(describeError(Object.assign(new Error('Failed after 3 attempts'), { lastError })).message).toMatch(
    /Check the key /,
  );
});

it('an error that no server answered has no remedy of one', () => {
  expect(describeError(new Error('The tool broke.')).message).toBe('The tool broke.');
  expect(describeError(failure({ statusCode: 401 })).message).toBe('It failed (bad_thing)');
});
