import { describe, expect, it } from 'vitest';
import { parseCommand } from '../../src/chat/command-parser.js';

describe('a command', () => {
  it.each([
    ['/help', { name: 'help', rest: '' }],
    ['/help ', { name: 'help', rest: '' }],
    ['/summary-title', { name: 'summary-title', rest: '' }],
    ['/compact keep the\nfigures', { name: 'compact', rest: 'keep the\nfigures' }],
  ])('is what begins with its name: %j', (text, command) => {
    expect(parseCommand(text)).toEqual(command);
  });

  it.each([
    ' /help',
    'see /help',
    'Say:\n/help',
    '/helping',
    '/help-me',
    '/HELP',
    '/unknown',
    '/',
    '//help',
    '/help/me',
    '/toString',
    '/constructor',
    '/__proto__',
    '/skill/help',
    '',
  ])('is nothing else: %j', (text) => {
    expect(parseCommand(text)).toBeUndefined();
  });
});
