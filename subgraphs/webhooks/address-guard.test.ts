import { describe, expect, test } from '@jest/globals';
import { createAddressGuard } from './address-guard.ts';

/** The host of a URL as the URL parser hands it on, without an IPv6 literal's brackets. */
const hostOf = (url: string) => new URL(url).hostname.replace(/^\[|\]$/g, '');

describe('addresses that no webhook goes to', () => {
  const guard = createAddressGuard([]);

  test.each([
    ['unspecified', '0.0.0.0'],
    ['this network', '0.1.2.3'],
    ['loopback', '127.0.0.1'],
    ['loopback, other end', '127.255.255.254'],
    ['private 10/8', '10.0.0.1'],
    ['private 10/8, other end', '10.255.255.255'],
    ['private 172.16/12', '172.16.0.1'],
    ['private 172.16/12, other end', '172.31.255.255'],
    ['private 192.168/16', '192.168.1.1'],
    ['link-local', '169.254.1.1'],
    ['cloud metadata', '169.254.169.254'],
    ['container metadata', '169.254.170.2'],
    ['carrier-grade NAT', '100.64.0.1'],
    ['carrier-grade NAT, other end', '100.127.255.255'],
    ['cloud metadata in shared space', '100.100.100.200'],
    ['IETF protocol assignments', '192.0.0.192'],
    ['documentation 1', '192.0.2.1'],
    ['documentation 2', '198.51.100.1'],
    ['documentation 3', '203.0.113.1'],
    ['6to4 relay', '192.88.99.1'],
    ['benchmarking', '198.18.0.1'],
    ['benchmarking, other end', '198.19.255.255'],
    ['multicast', '224.0.0.1'],
    ['multicast, other end', '239.255.255.255'],
    ['reserved', '240.0.0.1'],
    ['broadcast', '255.255.255.255'],
    ['IPv6 unspecified', '::'],
    ['IPv6 loopback', '::1'],
    ['IPv6 loopback in full', '0000:0000:0000:0000:0000:0000:0000:0001'],
    ['IPv6 link-local', 'fe80::1'],
    ['IPv6 link-local with zone', 'fe80::1%eth0'],
    ['IPv6 link-local, other end', 'febf::1'],
    ['IPv6 site-local', 'fec0::1'],
    ['unique-local fc', 'fc00::1'],
    ['unique-local fd', 'fd12:3456:789a::1'],
    ['cloud metadata over IPv6', 'fd00:ec2::254'],
    ['IPv6 multicast', 'ff02::1'],
    ['mapped loopback', '::ffff:127.0.0.1'],
    ['mapped loopback in hex', '::ffff:7f00:1'],
    ['mapped metadata', '::ffff:169.254.169.254'],
    ['mapped public', '::ffff:93.184.216.34'],
    ['IPv4-compatible loopback', '::127.0.0.1'],
    ['IPv4-compatible public', '::5db8:d822'],
    ['IPv4-translated', '::ffff:0:127.0.0.1'],
    ['NAT64 of loopback', '64:ff9b::7f00:1'],
    ['NAT64 of metadata', '64:ff9b::169.254.169.254'],
    ['local NAT64', '64:ff9b:1::a00:1'],
    ['6to4 of private', '2002:0a00:0001::1'],
    ['6to4 of public', '2002:5db8:d822::1'],
    ['Teredo', '2001:0:53aa:64c:0:fffe::1'],
    ['IPv6 benchmarking', '2001:2::1'],
    ['ORCHID', '2001:10::1'],
    ['ORCHIDv2', '2001:20::1'],
    ['IPv6 documentation', '2001:db8::1'],
    ['IPv6 documentation, new block', '3fff::1'],
    ['discard', '100::1'],
    ['segment routing', '5f00::1'],
    ['unassigned IPv6', '4000::1'],
    ['not an address', 'localhost'],
    ['nothing', ''],
    ['rubbish', '127.0.0.1.1'],
  ])('%s: %s', (_name, address) => {
    expect(guard.permits(address)).toBe(false);
  });

  test.each([
    ['decimal', 'https://2130706433/'],
    ['hexadecimal', 'https://0x7f000001/'],
    ['hexadecimal parts', 'https://0x7f.0.0.0x1/'],
    ['octal', 'https://0177.0.0.1/'],
    ['short', 'https://127.1/'],
    ['shorter', 'https://127.0.1/'],
    ['zero', 'https://0/'],
    ['full-width digits', 'https://１２７.０.０.１/'],
    ['trailing dot', 'https://127.0.0.1./'],
    ['percent-encoded', 'https://%31%32%37.0.0.1/'],
    ['after userinfo', 'https://hooks.example.com@127.0.0.1/'],
    ['after userinfo with a password', 'https://hooks.example.com:443@169.254.169.254/'],
    ['behind a backslash', 'https:\\\\127.0.0.1\\@hooks.example.com/'],
    ['IPv6 literal', 'https://[::1]/'],
    ['mapped literal', 'https://[::ffff:127.0.0.1]/'],
    ['NAT64 literal', 'https://[64:ff9b::10.0.0.1]/'],
  ])('a URL in %s notation: %s', (_name, url) => {
    expect(guard.permits(hostOf(url))).toBe(false);
  });
});

describe('addresses that a webhook may go to', () => {
  test.each([
    '93.184.216.34',
    '1.1.1.1',
    '172.15.255.255',
    '172.32.0.1',
    '100.63.255.255',
    '100.128.0.1',
    '169.253.255.255',
    '223.255.255.255',
    '2606:4700:4700::1111',
    '2a00:1450:4001:80b::200e',
  ])('public %s', (address) => {
    expect(createAddressGuard([]).permits(address)).toBe(true);
  });

  test.each([
    [true, '127.0.0.1', ['127.0.0.0/8']],
    [true, '::1', ['::1/128']],
    [true, '::ffff:127.0.0.1', ['127.0.0.0/8']],
    [true, '10.1.2.3', ['127.0.0.0/8', '10.1.0.0/16']],
    [true, 'fd12::1', ['fd12::/16']],
    [true, '93.184.216.34', ['10.0.0.0/8']],
    [false, '10.2.0.1', ['10.1.0.0/16']],
    [false, '::1', ['127.0.0.0/8']],
    [false, '64:ff9b::7f00:1', ['127.0.0.0/8']],
    [false, '127.0.0.1', ['::/0']],
  ])('%s for %s where %j is allowed', (expected, address, cidrs) => {
    expect(createAddressGuard(cidrs).permits(address)).toBe(expected);
  });

  test('a block that is none is a fault of the configuration', () => {
    expect(() => createAddressGuard(['10.0.0.0'])).toThrow();
  });
});
