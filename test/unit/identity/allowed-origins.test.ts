import { expect, test } from 'vitest';
import { parseOrigins } from '../../../core/access/identity/origins.ts';

test.each([
  ['https://shop.example', 'https://shop.example'],
  ['https://Shop.Example/', 'https://shop.example'],
  ['https://shop.example:443', 'https://shop.example'],
  ['https://shop.example:8443', 'https://shop.example:8443'],
  ['http://localhost:3000', 'http://localhost:3000'],
  ['http://127.0.0.1', 'http://127.0.0.1'],
  ['http://[::1]:8080', 'http://[::1]:8080'],
])('accepts the origin %s in the form of browsers', (text, origin) => {
  expect(parseOrigins([text, text])).toEqual([origin]);
});

test.each([
  '',
  '*',
  'null',
  'shop.example',
  'https://*.shop.example',
  'https://shop.example/pay',
  'https://shop.example?x=1',
  'https://user@shop.example',
  'http://shop.example',
  'file:///home/shop.html',
  'javascript:alert(1)',
  'https://shop.example https://other.example',
])('refuses %j', (text) => {
  expect(() => parseOrigins([text])).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR', field: 'allowedOrigins' }));
});
