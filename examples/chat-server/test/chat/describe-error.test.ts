import { expect, it } from 'vitest';
import { describeError } from '../../src/chat/describe-error.js';

const failure = (facts: object): Error => Object.assign(new Error('It failed (bad_thing)'), facts);

it.each([
  [401, 'Check the key you started chat-server with'],
  [403, 'Check the key you started chat-server with'],
  [404, 'Check the name of the model and --base-url'],
  [429, 'Wait a moment and regenerate'],
  [503, 'Regenerate. If it fails again'],
])('an error with the status %i names its remedy and the server', (statusCode, remedy) => {
  const { message } = describeError(failure({ statusCode, url: 'https://api.example.com/v1/responses' }));
  expect(message).toMatch(/^It failed \(bad_thing\) /);
  expect(message).toContain(remedy);
  expect(message).toMatch(/ Server: https:\/\/api\.example\.com\/v1$/);
});

it('the last of several tries is the one that is described', () => {
  const lastError = failure({ statusCode: 401, url: 'http://127.0.0.1:9/v1/responses' });
  expect(describeError(Object.assign(new Error('Failed after 3 attempts'), { lastError })).message).toMatch(
    /Check the key .* Server: http:\/\/127\.0\.0\.1:9\/v1$/,
  );
});

it('the base URL is shown without credentials, query and whatever may be a key', () => {
  const url = 'https://ann:pass@gw.example.com/u/0123456789abcdef0123/known-key/v1/responses?key=hidden#part';
  const { message } = describeError(failure({ statusCode: 500, url }), ['known-key']);
  expect(message).toMatch(/ Server: https:\/\/gw\.example\.com\/u\/…\/…\/v1$/);
});

it('an error that no server answered names none', () => {
  expect(describeError(new Error('The tool broke.')).message).toBe('The tool broke.');
  expect(describeError(failure({ statusCode: 401, url: 'file:///etc/keys' })).message).not.toContain('Server:');
});
