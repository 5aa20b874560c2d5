import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EVENT_TYPES } from '#shared/webhook-events';
import { checkEvents, checkUrl } from '../../../core/records/webhooks/endpoints.ts';
import { subscribedTypes } from '../../../core/records/webhooks/subscriptions.ts';

const refused = (field: string) => expect.objectContaining({ code: 'VALIDATION_ERROR', field });

describe('the URL of an endpoint', () => {
  test.each([
    ['https://shop.example/hooks?shop=1', 'https://shop.example/hooks?shop=1'],
    ['https://shop.example', 'https://shop.example/'],
    ['HTTPS://Shop.Example:443/Hooks', 'https://shop.example/Hooks'],
    ['https://[::1]:8443/', 'https://[::1]:8443/'],
  ])('stores %s as %s', (text, kept) => {
    expect(checkUrl(text)).toBe(kept);
  });

  test.each([
    'http://shop.example/',
    'ftp://shop.example/',
    'javascript:alert(1)',
    'file:///etc/passwd',
    '//shop.example/',
    'shop.example',
    '',
    'https://',
    'https://user@shop.example/',
    'https://:password@shop.example/',
    'https://shop.example/#part',
    `https://shop.example/${'x'.repeat(2_000)}`,
  ])('refuses %s', (text) => {
    expect(() => checkUrl(text)).toThrowError(refused('url'));
  });

  test('accepts 2,000 characters and refuses one more', () => {
    const longest = 'https://shop.example/'.padEnd(2_000, 'x');
    expect(checkUrl(longest)).toBe(longest);
    expect(() => checkUrl(`${longest}x`)).toThrowError(refused('url'));
  });
});

describe('the events of an endpoint', () => {
  test('stores event names as registered, each once', () => {
    expect(checkEvents(['refund.approved', '*', 'refund.approved'])).toEqual(['refund.approved', '*']);
  });

  test.each([[[]], [['refund.*']], [['transaction.approved', 'no.such']], [['']]])('refuses the event names %j', (names) => {
    expect(() => checkEvents(names)).toThrowError(refused('events'));
  });

  test.each([
    [['*', 'refund.approved', 'invoice.paid'], [['*', null]]],
    [['security.*', 'security.sign_in'], [['security.*', null]]],
    [
      ['security.sign_in', '*', 'invoice.paid'],
      [
        ['*', null],
        ['security.sign_in', null],
      ],
    ],
    [['refund.approved'], [['refund.processed', 'refund.approved']]],
    [['refund.approved', 'refund.processed'], [['refund.processed', null]]],
    [['refund.processed', 'refund.approved'], [['refund.processed', null]]],
    [
      ['invoice.paid', 'refund.approved'],
      [
        ['invoice.paid', null],
        ['refund.processed', 'refund.approved'],
      ],
    ],
  ])('subscribes with %j to %j', (names, types) => {
    expect([...subscribedTypes(names)]).toEqual(types);
  });

  test('never subscribes twice to one type with any set of names', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...EVENT_TYPES, 'refund.approved', '*', 'security.*'), { minLength: 1 }), (names) => {
        const types = [...subscribedTypes(checkEvents(names)).keys()];
        for (const type of EVENT_TYPES) {
          const every = type.startsWith('security.') ? 'security.*' : '*';
          expect(types.filter((subscribed) => subscribed === type || subscribed === every).length).toBeLessThan(2);
        }
        for (const type of types) expect([...EVENT_TYPES, '*', 'security.*'] as readonly string[]).toContain(type);
      }),
    );
  });
});
