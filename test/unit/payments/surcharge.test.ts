import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addParts,
  hasParts,
  NO_PARTS,
  type Parts,
  splitParts,
  subtractParts,
  sumOfParts,
} from '../../../core/sales/payments/parts/parts.ts';
import { allowedSurcharge, type SurchargeFacts } from '../../../core/sales/payments/surcharge/rule.ts';
import { scaledSurcharge } from '../../../core/sales/payments/surcharge/surcharge.ts';
import { surchargeOn } from '../../../shared/surcharge.ts';
import { countryLimit, postalCodeLimit, stateLimit } from '../../../shared/surcharge-limits.ts';

const CREDIT: SurchargeFacts = {
  percent: 3,
  check: 'rule',
  costPercent: 3.5,
  country: 'US',
  state: 'NH',
  card: { brand: 'visa', funding: 'credit' },
  payer: {},
  isRemote: false,
};
const allowed = (facts: Partial<SurchargeFacts>) => allowedSurcharge({ ...CREDIT, ...facts });
const card = (brand: string, funding: 'credit' | 'debit' | 'prepaid' | 'unknown' = 'credit') => ({ brand, funding });

describe('the percentage of a surcharge', () => {
  test.each([
    ['the percentage of the rule', { percent: 2.5 }, 2.5],
    ['the card fee of the merchant', { percent: 3, costPercent: 2.1 }, 2.1],
    ['3 % for Visa', { percent: 4, costPercent: 5 }, 3],
    ['4 % for Mastercard', { percent: 4, costPercent: 5, card: card('mastercard') }, 4],
    ['3 % for American Express', { percent: 4, costPercent: 5, card: card('amex') }, 3],
    ['2 % in Colorado', { state: 'CO' }, 2],
    ['2 % in Oklahoma, by its name', { state: 'oklahoma' }, 2],
    ['2 % for a payer in Colorado', { payer: { zip: '80202' } }, 2],
    ['2 % for a payer in Colorado, by a short name', { payer: { state: 'Colo.' } }, 2],
    ['3 % for a payer whose state is not given, or whose ZIP code is known', { payer: { state: ' ', zip: '' } }, 3],
    ['3 % for a payer whose ZIP code names the state', { payer: { state: 'Massachusets', zip: '03801' } }, 3],
    ['2.4 % in Canada', { country: 'CA', state: 'ON' }, 2.4],
    ['any within the limits if programs have card data of their own', { check: 'limits', percent: 0, card: card('visa', 'unknown') }, 3],
  ] as const)('is at most %s', (_limit, facts, percent) => {
    expect(allowed(facts)).toEqual({ percent, reason: null });
  });

  test.each([
    ['no_rule', { percent: 0 }],
    ['bank_account', { card: null }],
    ['debit_card', { card: card('visa', 'debit') }],
    ['prepaid_card', { card: card('visa', 'prepaid') }],
    ['card_type_unknown', { card: card('visa', 'unknown') }],
    ['debit_card', { check: 'limits', card: card('visa', 'debit') }],
    ['bank_account', { check: 'limits', card: null }],
    ['country', { country: 'GB', state: 'London' }],
    ['merchant_state_unknown', { state: null }],
    ['merchant_state_unknown', { state: 'Conneticut' }],
    ['merchant_state', { state: 'CT' }],
    ['merchant_state', { state: ' Massachusetts ' }],
    ['merchant_state', { state: 'ME' }],
    ['merchant_state', { state: 'US-MA' }],
    ['payer_state', { payer: { state: 'US-MA' } }],
    ['payer_state', { payer: { state: 'Mass.' } }],
    ['payer_state', { payer: { state: 'M.A.' } }],
    ['payer_state', { payer: { zip: '2134' } }],
    ['payer_state', { payer: { zip: '21341234' } }],
    ['payer_state', { payer: { zip: '601' } }],
    // A state that is given and not understood may be one that forbids surcharges.
    ['payer_state_unknown', { payer: { state: 'Massachusets' } }],
    ['payer_state_unknown', { payer: { state: 'Virg' } }],
    ['merchant_state', { state: 'Puerto Rico' }],
    ['merchant_state', { country: 'CA', state: 'Québec' }],
    ['payer_state_unknown', { isRemote: true }],
    ['payer_state_unknown', { isRemote: true, payer: { zip: 'W1A 1AA' } }],
    ['payer_state', { isRemote: true, payer: { zip: '04101' } }],
    ['payer_state', { payer: { state: 'CT', zip: '03801' } }],
    ['payer_state', { payer: { state: 'NH', zip: '06103' } }],
    ['no_card_fee', { costPercent: 0 }],
  ] as const)('is 0 with the reason %s', (reason, facts) => {
    expect(allowed(facts)).toEqual({ percent: 0, reason });
  });
});

test('the region of a postal code is found where the law differs', () => {
  const region = (zip: string) => postalCodeLimit('US', zip)?.state;
  expect(['06103', '06390', '02108', '02801', '05501', '04101', '00901', '00802', '80202', '82001', '73101', '73301'].map(region)).toEqual([
    'CT',
    '',
    'MA',
    '',
    'MA',
    'ME',
    'PR',
    '',
    'CO',
    '',
    'OK',
    '',
  ]);
  expect(postalCodeLimit('CA', 'h2x 1y4')).toEqual({ state: 'QC', percentMax: 0 });
  expect([stateLimit('US', 'XX'), stateLimit('DE', 'BY'), countryLimit('DE')]).toEqual([null, null, null]);
});

describe('the amount of a surcharge', () => {
  test('never exceeds the percentage, and is less than a cent below it', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10_000_000_00 }), fc.integer({ min: 0, max: 400 }), (amount, hundredths) => {
        const surcharge = surchargeOn(amount, hundredths / 100);
        expect(surcharge * 10_000).toBeLessThanOrEqual(amount * hundredths);
        expect((surcharge + 1) * 10_000).toBeGreaterThan(amount * hundredths);
      }),
    );
  });

  test('keeps the share that the payer agreed to when the amount changes, whatever the tip', () => {
    const parts = fc.record({ tip: fc.nat(5_000), surcharge: fc.nat(300), tax: fc.nat(1_000) });
    fc.assert(
      fc.property(parts, fc.integer({ min: 1, max: 100_000 }), fc.integer({ min: 1, max: 200_000 }), (agreed, base, changed) => {
        const amountMinor = base + agreed.tip + agreed.surcharge + agreed.tax;
        const surcharge = scaledSurcharge(changed + agreed.tip, agreed.tip, { amountMinor, parts: agreed });
        expect(surcharge * (amountMinor - agreed.tip)).toBeLessThanOrEqual(agreed.surcharge * changed);
        expect(scaledSurcharge(amountMinor, agreed.tip, { amountMinor, parts: agreed })).toBe(agreed.surcharge);
      }),
    );
  });
});

describe('base, tip, surcharge and tax', () => {
  const shares = fc.array(fc.integer({ min: 1, max: 100 }), { maxLength: 6 });

  test('add up through a raise, a partial capture and its refunds, and the surcharge never exceeds its percentage', () => {
    const sale = fc.record({
      base: fc.integer({ min: 100, max: 500_000 }),
      tax: fc.nat(50_000),
      tip: fc.nat(50_000),
      percent: fc.nat(400),
    });
    fc.assert(
      fc.property(
        sale,
        fc.nat(300_000),
        fc.integer({ min: 1, max: 100 }),
        shares,
        ({ base, tax, tip, percent }, raise, captured, refunds) => {
          const percentOf = (parts: Parts, amount: number) => parts.surcharge * 10_000 <= (amount - parts.tip - parts.surcharge) * percent;
          const parts: Parts = { tip, tax, surcharge: surchargeOn(base + tax, percent / 100) };
          const authorized = base + sumOfParts(parts);
          const raised = authorized + raise;
          const raisedParts = { ...parts, surcharge: scaledSurcharge(raised, tip, { amountMinor: authorized, parts }) };
          expect(percentOf(parts, authorized)).toBe(true);
          expect(percentOf(raisedParts, raised)).toBe(true);
          const amount = Math.max(1, Math.floor((raised * captured) / 100));
          const capturedParts = splitParts(amount, raised, raisedParts);
          let remaining = { amount, parts: capturedParts };
          let returned = NO_PARTS;
          for (const share of [...refunds, 100]) {
            const refund = share === 100 ? remaining.amount : Math.floor((remaining.amount * share) / 100);
            if (refund === 0) continue;
            const refundParts = splitParts(refund, remaining.amount, remaining.parts);
            expect(sumOfParts(refundParts)).toBeLessThanOrEqual(refund);
            returned = addParts(returned, refundParts);
            remaining = { amount: remaining.amount - refund, parts: subtractParts(remaining.parts, refundParts) };
          }
          expect(remaining.amount).toBe(0);
          expect(hasParts(remaining.parts)).toBe(false);
          expect(returned).toEqual(capturedParts);
        },
      ),
    );
  });
});
