import { describe, expect, it } from 'vitest';
import { addressesOf, isElsewhere, isPublic, webUrl } from '../web-address.js';

describe('an address of a page', () => {
  it.each([
    ['file:///etc/passwd', 'Only http and https can be read, and this is file:'],
    ['ftp://example.com/', 'Only http and https'],
    ['javascript:alert(1)', 'Only http and https'],
    ['example.com', 'is no whole address'],
    ['https://me:secret@example.com/', 'with a user name or a password'],
    ['https://me@example.com/', 'with a user name or a password'],
    [`https://example.com/${'x'.repeat(5000)}`, 'more than 4096 characters'],
  ])('is refused: %s', (url, problem) => {
    expect(() => webUrl(url)).toThrow(problem);
  });

  it('loses what a server never sees', () => {
    expect(webUrl('https://EXAMPLE.com/a#b').href).toBe('https://example.com/a');
  });
});

describe('a host', () => {
  it.each(
    (
      '127.0.0.1 127.1.2.3 10.0.0.1 172.16.0.1 192.168.1.1 169.254.169.254 100.64.0.1 192.0.0.1 192.0.2.1 198.18.0.1 198.51.100.1 ' +
      '203.0.113.5 224.0.0.1 240.0.0.1 255.255.255.255 0.0.0.0 192.88.99.1 ::1 :: fe80::1 fc00::1 fd00:ec2::254 ::ffff:127.0.0.1 ' +
      '::ffff:8.8.8.8 64:ff9b::7f00:1 64:ff9b:1::7f00:1 2002:7f00:1:: 2001::1 2001:db8::1 fec0::1 ff02::1 100::1 3fff::1 5f00::1 ' +
      '::7f00:1 2001:20::1 4000::1 not-an-address'
    ).split(' '),
  )('of no public address is not read: %s', (address) => {
    expect(isPublic(address)).toBe(false);
  });

  it.each(['8.8.8.8', '93.184.215.14', '2606:4700::1111', '2a00:1450:4001::8e'])(
    'of a public one is: %s',
    (address) => {
      expect(isPublic(address)).toBe(true);
    },
  );

  it('of this machine is not read, whether it is public or not', () => {
    expect(isElsewhere('8.8.8.8', ['127.0.0.1', '8.8.8.8', '2606:4700::1111'])).toBe(false);
    expect(isElsewhere('2606:4700:0::1111', ['2606:4700::1111'])).toBe(false);
    expect(isElsewhere('8.8.4.4', ['8.8.8.8', '2606:4700::1111'])).toBe(true);
    expect(isElsewhere('127.0.0.1', [])).toBe(false);
  });

  it.each([
    'http://127.0.0.1/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://0177.0.0.1/',
    'http://127.1/',
    'http://[::1]/',
    'http://[::ffff:7f00:1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://169.254.169.254/latest/meta-data/',
    'http://localhost/',
    'http://LOCALHOST./',
  ])('is refused however its address is written: %s', async (url) => {
    await expect(addressesOf(webUrl(url), {})).rejects.toThrow(/no public address|no host localhost/);
  });

  it('with a private address beside a public one is refused as a whole', async () => {
    const lookup = async () => [
      { address: '8.8.8.8', family: 4 },
      { address: '10.0.0.1', family: 4 },
    ];
    await expect(addressesOf(webUrl('https://example.com/'), { lookup })).rejects.toThrow(
      'example.com is at 10.0.0.1, which is no public address',
    );
  });
});
