import { expect, test } from 'vitest';
import { parsePrivateHosts } from '../../../core/platform/outbound/private-hosts.ts';

test('allows the hosts of the list, on every port or on the one that is named', () => {
  const allows = parsePrivateHosts('mail.office.lan:587, 10.0.0.5,[fd00::1]:25,::1,Printer');
  expect(allows('mail.office.lan', 587)).toBe(true);
  expect(allows('MAIL.office.lan', 587)).toBe(true);
  expect(allows('mail.office.lan', 22)).toBe(false);
  expect(allows('office.lan', 587)).toBe(false);
  expect(allows('10.0.0.5', 25)).toBe(true);
  expect(allows('10.0.0.50', 25)).toBe(false);
  expect(allows('fd00::1', 25)).toBe(true);
  expect(allows('[fd00::1]', 25)).toBe(true);
  expect(allows('fd00::1', 26)).toBe(false);
  expect(allows('::1', 1)).toBe(true);
  expect(allows('printer', 9100)).toBe(true);
});

test.each(['', 'a,,b', 'https://mail.lan', 'mail.lan:port', '*', '10.0.0.0/8', '[mail]:25:25'])('refuses %j as a list of hosts', (text) => {
  expect(() => parsePrivateHosts(text)).toThrow('Private hosts must be');
});
