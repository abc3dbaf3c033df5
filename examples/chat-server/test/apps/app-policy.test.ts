import { describe, expect, it } from 'vitest';
import { appPolicy } from '../../src/apps/app-policy.js';

const directives = (policy: string): ReadonlyMap<string, string> =>
  new Map(
    policy.split('; ').map((one) => [one.split(' ')[0] ?? '', one.slice(one.indexOf(' ') + 1)] as [string, string]),
  );

describe('the policy of an app', () => {
  it('allows its own inline code and nothing else, if its server names nothing', () => {
    expect(Object.fromEntries(directives(appPolicy({})))).toEqual({
      sandbox: 'allow-scripts',
      'default-src': "'none'",
      'script-src': "'unsafe-inline'",
      'style-src': "'unsafe-inline'",
      'img-src': 'data: blob:',
      'font-src': 'data:',
      'media-src': 'data: blob:',
      'connect-src': "'none'",
      'frame-src': "'none'",
      'base-uri': "'none'",
      'form-action': "'none'",
      'frame-ancestors': "'self'",
    });
  });

  it('has each host where its server names it, and nowhere else', () => {
    const policy = directives(
      appPolicy({
        connectDomains: ['wss://live.example'],
        resourceDomains: ['https://*.cdn.example:8443/lib/'],
        frameDomains: ['https://map.example'],
        baseUriDomains: ['https://base.example'],
      }),
    );
    expect(policy.get('connect-src')).toBe('wss://live.example');
    expect(policy.get('script-src')).toBe("'unsafe-inline' https://*.cdn.example:8443/lib/");
    expect(policy.get('img-src')).toBe('data: blob: https://*.cdn.example:8443/lib/');
    expect(policy.get('frame-src')).toBe('https://map.example');
    expect(policy.get('base-uri')).toBe('https://base.example');
    expect(policy.get('default-src')).toBe("'none'");
  });

  it.each([
    'http://127.0.0.1:4300',
    'ws://127.0.0.1:4300',
    '*',
    'https:',
    'https://*',
    "'self'",
    "'unsafe-eval'",
    'data:',
    'https://x.example; script-src *',
    'https://x.example, *',
    "https://x.example 'unsafe-eval'",
    'https://x.example\nset-cookie: a=b',
    'https://user@x.example',
    '',
  ])('leaves out what is no encrypted address of a host: %j', (source) => {
    const csp = {
      connectDomains: [source],
      resourceDomains: [source],
      frameDomains: [source],
      baseUriDomains: [source],
    };
    expect(appPolicy(csp)).toBe(appPolicy({}));
  });
});
