import { describe, expect, test } from 'vitest';
import { refusalOf } from '#core/processing/merchants';
import { routePayment } from '../../../core/processing/merchants/routing.ts';
import type { GatewayRow } from '../../../core/processing/merchants/schema.ts';

const SALE = { amount: 20, currency: 'USD', paymentMethod: 'card', type: 'sale', card: { brand: 'visa' } };
const BANK = { ...SALE, paymentMethod: 'ach', card: undefined };
const STORED_ACCOUNT = { ...SALE, paymentMethod: 'token', card: undefined };

function gateway(name: string, overrides: { currency?: string; bank?: boolean; status?: 'disabled'; mode?: 'test' } = {}): GatewayRow {
  return {
    tenant_id: 'ten',
    id: `gw_${name}`,
    merchant_id: 'mer',
    type: 'nmi',
    name,
    credentials: 'sealed',
    status: overrides.status ?? 'active',
    priority: 1,
    settings: JSON.stringify({ mode: overrides.mode ?? 'live', currency: overrides.currency ?? 'USD' }),
    last_check: overrides.bank === undefined ? null : JSON.stringify({ takesBankAccounts: overrides.bank }),
    removed_at: null,
    created_at: '',
    updated_at: '',
  };
}

const namesOf = ({ candidates }: ReturnType<typeof routePayment>) => candidates.map(({ name }) => name);
const away =
  (...names: string[]) =>
  (id: string) =>
    names.some((name) => id === `gw_${name}`);

describe('a gateway that cannot take a payment', () => {
  test('skips a gateway that a rule names, with the reason, and the next gateway takes the payment', () => {
    const rules = [{ condition: 'amount > 1', gateway: 'euro' }, { condition: 'amount > 2', gateway: 'down' }, { default: 'up' }];
    const route = routePayment({ rules }, [gateway('euro', { currency: 'EUR' }), gateway('down'), gateway('up')], SALE, away('down'));
    expect(namesOf(route)).toEqual(['up']);
    expect(route.trace.map(({ skipped }) => skipped)).toEqual(['This gateway accepts EUR only.', 'This gateway is not responding.', null]);
    expect(route.passedOver.map(({ name }) => name)).toEqual(['euro', 'down']);
    expect(route.refusal).toBeNull();
  });

  test('skips a gateway in the order of priorities too', () => {
    const gateways = [gateway('down'), gateway('cards', { bank: false }), gateway('off', { status: 'disabled' }), gateway('unchecked')];
    for (const facts of [BANK, STORED_ACCOUNT]) {
      const route = routePayment({ rules: [] }, gateways, facts, away('down'));
      expect(namesOf(route)).toEqual(['unchecked']);
      expect(route.passedOver.map(({ skipped }) => skipped)).toEqual([
        'This gateway is not responding.',
        'This gateway does not accept bank payments.',
        'This gateway is disabled.',
      ]);
    }
    expect(namesOf(routePayment({ rules: [] }, gateways, SALE))).toEqual(['down', 'cards', 'unchecked']);
  });

  test('skips a gateway if its credentials cannot be decrypted', () => {
    const route = routePayment({ rules: [{ default: 'torn' }] }, [gateway('torn'), gateway('up')], SALE, away(), away('torn'));
    expect(namesOf(route)).toEqual(['up']);
    const [words] = route.passedOver.map(({ skipped }) => skipped);
    expect(words).toBe('The credentials of this gateway cannot be decrypted. Enter them again.');
    expect(route.trace[0]?.skipped).toBe(words);
    const refusal = refusalOf(routePayment({ rules: [] }, [gateway('torn')], SALE, away(), away('torn')));
    expect(refusal).toMatchObject({ code: 'GATEWAY_UNAVAILABLE', details: { reason: 'credentials_lost' } });
    expect(refusal?.message).toContain('Nothing was charged');
  });

  test.each([
    ['none is there', [], SALE, 'GATEWAY_UNAVAILABLE', undefined],
    ['all are disabled', [gateway('off', { status: 'disabled' as const })], SALE, 'GATEWAY_UNAVAILABLE', undefined],
    ['all take another currency', [gateway('euro', { currency: 'EUR' })], SALE, 'INVALID_CURRENCY', 'currency'],
    [
      'none takes bank payments',
      [gateway('cards', { bank: false }), gateway('euro', { currency: 'EUR' })],
      BANK,
      'VALIDATION_ERROR',
      'paymentMethod',
    ],
    ['the one that would does not answer', [gateway('down'), gateway('cards', { bank: false })], BANK, 'GATEWAY_UNAVAILABLE', undefined],
  ])('reports a gateway when no other one can take the payment: %s', (_, gateways, facts, code, field) => {
    const refusal = refusalOf(routePayment({ rules: [] }, gateways, facts, away('down')));
    expect(refusal).toMatchObject({ code, field });
    expect(refusal?.message).toContain('Nothing was charged');
  });
});

describe('a gateway in test mode', () => {
  const trial = () => gateway('test', { mode: 'test' });

  test('a test gateway takes no payment by priority while a live one is active, and states the reason', () => {
    for (const rules of [[], [{ condition: 'amount > 1000', gateway: 'test' }]]) {
      const route = routePayment({ rules }, [trial(), gateway('live')], SALE);
      expect(namesOf(route)).toEqual(['live']);
      expect(route.passedOver).toEqual([
        {
          gatewayId: 'gw_test',
          name: 'test',
          skipped: 'This gateway is in test mode. While a live gateway is active, it is used only if a routing rule selects it.',
        },
      ]);
    }
  });

  test('a test gateway does not replace a live gateway that cannot take the payment', () => {
    expect(refusalOf(routePayment({ rules: [] }, [trial(), gateway('live')], SALE, away('live')))).toMatchObject({
      details: { reason: 'gateways_away' },
    });
    expect(refusalOf(routePayment({ rules: [] }, [trial(), gateway('live', { currency: 'EUR' })], SALE))).toMatchObject({
      code: 'INVALID_CURRENCY',
    });
    expect(refusalOf(routePayment({ rules: [] }, [trial(), gateway('live', { bank: false })], BANK))).toMatchObject({
      field: 'paymentMethod',
    });
  });

  test('a test gateway takes payments by its rules, and all payments while no live gateway is active', () => {
    const named = routePayment({ rules: [{ default: 'test' }] }, [gateway('live'), trial()], SALE);
    expect(namesOf(named)).toEqual(['test']);
    expect(named.trace[0]?.skipped).toBeNull();
    expect(named.passedOver).toEqual([]);
    expect(namesOf(routePayment({ rules: [] }, [gateway('live', { status: 'disabled' }), trial()], SALE))).toEqual(['test']);
    expect(namesOf(routePayment({ rules: [] }, [trial(), gateway('other', { mode: 'test' })], SALE))).toEqual(['test', 'other']);
  });
});
