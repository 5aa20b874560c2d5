import { describe, expect, test } from 'vitest';
import { addressCheck, codeCheck } from '../../../renderer/kit/ui/verification.ts';
import { type SaleChoices, saleRequest } from '../../../renderer/screens/sell/charge/request.ts';
import { bankAccountProblem, routingNumberProblem } from '../../../renderer/screens/sell/form/bank.ts';
import {
  fieldProblem,
  isFinished,
  nextIncomplete,
  problemsOf,
  type SaleRules,
  type SaleValues,
} from '../../../renderer/screens/sell/form/form.ts';
import { postalCodeProblem, postalRule } from '../../../renderer/screens/sell/form/postal-code.ts';
import { prefillOf } from '../../../renderer/screens/sell/form/prefill.ts';
import { totalOf } from '../../../renderer/screens/sell/form/total.ts';
import { declineAdvice } from '../../../renderer/screens/sell/state/decline-advice.ts';
import { TEST_CARDS, testCardValues } from '../../../renderer/shared/card-readers/test-cards.ts';

const NOW = new Date(2026, 10, 20);
const RULES: SaleRules = { mode: 'card', requireCode: true, requireZip: true, currency: 'USD', country: 'US' };
const FILLED: SaleValues = { amount: '45', number: '4111 1111 1111 1111', expiry: '12/28', code: '123', zip: '04101' };
const CHOICES: SaleChoices = {
  type: 'sale',
  mode: 'card',
  entry: 'keyed',
  accountType: 'checking',
  accountHolder: 'person',
  channel: 'phone',
  takesPart: true,
  merchantId: 'mer_1',
  currency: 'USD',
  country: 'US',
};

describe('Enter', () => {
  test('Enter moves from field to field and then charges', () => {
    const order = ['amount', 'number', 'expiry', 'code', 'zip'] as const;
    let values: SaleValues = {};
    for (const field of order) {
      expect(nextIncomplete(null, values, RULES, NOW)).toBe(field);
      values = { ...values, [field]: FILLED[field] };
    }
    expect(nextIncomplete('zip', values, RULES, NOW)).toBeNull();
  });

  test('Enter looks for missing fields after the current field first, then from the beginning', () => {
    expect(nextIncomplete('expiry', { amount: '45' }, RULES, NOW)).toBe('code');
    expect(nextIncomplete('zip', { ...FILLED, amount: '' }, RULES, NOW)).toBe('amount');
    expect(nextIncomplete('description', { ...FILLED, code: '' }, RULES, NOW)).toBe('code');
  });

  test('Enter stays on an incomplete field once the number is complete', () => {
    const withNumber = { amount: '45', number: FILLED.number };
    for (const field of ['expiry', 'code', 'zip'] as const) expect(nextIncomplete(field, withNumber, RULES, NOW)).toBe(field);
    expect(nextIncomplete('expiry', { ...withNumber, expiry: '13/28' }, RULES, NOW)).toBe('expiry');
    expect(nextIncomplete('amount', { ...withNumber, amount: '' }, RULES, NOW)).toBe('expiry');
    expect(nextIncomplete('account', { amount: '45', routing: '021000021' }, { ...RULES, mode: 'bank' }, NOW)).toBe('account');
  });

  test("Enter requires the fields of the merchant's settings only", () => {
    const rules: SaleRules = { ...RULES, requireCode: false, requireZip: false };
    expect(nextIncomplete(null, { amount: '45', number: FILLED.number, expiry: '12/28' }, rules, NOW)).toBeNull();
    expect(nextIncomplete('amount', { amount: '45' }, { ...rules, mode: 'bank' }, NOW)).toBe('routing');
    expect(nextIncomplete('amount', { amount: '45' }, { ...rules, mode: 'saved' }, NOW)).toBe('token');
  });

  test('Enter requires the authorization of a bank debit by a person, and the request names it with its channel', () => {
    const bank = { amount: '45', routing: '021000021', account: '6789012', holder: 'Ann Marsh' };
    const rules: SaleRules = { ...RULES, mode: 'bank' };
    expect(nextIncomplete('holder', bank, { ...rules, requireProof: true }, NOW)).toBe('proof');
    expect(nextIncomplete('holder', bank, rules, NOW)).toBeNull();
    expect(problemsOf({ ...bank, proof: '4111 1111 1111 1111' }, rules, NOW)).toHaveProperty('proof');
    const choices: SaleChoices = { ...CHOICES, mode: 'bank', channel: 'mail', accountHolder: 'company' };
    expect(saleRequest({ ...bank, proof: ' Form 12 ' }, choices, NOW)).toMatchObject({
      channel: 'mail',
      bankAccount: { accountHolderType: 'company' },
      bankAuthorization: { reference: 'Form 12' },
    });
  });
});

describe('the shipping address', () => {
  const ADDRESS = { shipStreet: '12 Pier  Road ', shipCity: 'Portland', shipState: 'ME', shipZip: '04101' };
  const sent = (values: SaleValues) => saleRequest({ ...FILLED, ...values }, CHOICES, NOW)?.shippingAddress;

  test('is sent as the pay page sends it, and names a country abroad only', () => {
    expect(sent(ADDRESS)).toBe('12 Pier Road, Portland, ME 04101');
    for (const shipCountry of ['us', 'United States']) expect(sent({ ...ADDRESS, shipCountry })).toBe('12 Pier Road, Portland, ME 04101');
    const french = { shipStreet: '1 rue Cler', shipCity: 'Paris', shipZip: '75007' };
    for (const shipCountry of ['FR', 'France']) expect(sent({ ...french, shipCountry })).toBe('1 rue Cler, Paris, 75007, France');
    expect(sent({})).toBeUndefined();
  });

  test('is complete or empty, and contains no card number', () => {
    const problems = (values: SaleValues) => Object.keys(problemsOf({ ...FILLED, ...values }, RULES, NOW));
    expect(problems({})).toEqual([]);
    expect(problems(ADDRESS)).toEqual([]);
    expect(problems({ shipCity: 'Portland' })).toEqual(['shipStreet', 'shipState', 'shipZip']);
    expect(problems({ shipCountry: 'France', shipStreet: '1 rue Cler' })).toEqual(['shipCity']);
    expect(problems({ ...ADDRESS, shipStreet: '4111 1111 1111 1111' })).toEqual(['shipStreet']);
  });
});

describe('fields', () => {
  test("requires a code of the brand's length", () => {
    const amex = { ...FILLED, number: '378282246310005' };
    expect(fieldProblem('code', amex, RULES, NOW)).toContain('4-digit CVV');
    expect(fieldProblem('code', { ...amex, code: '1234' }, RULES, NOW)).toBeNull();
    expect(isFinished('code', amex, RULES, NOW)).toBe(false);
    expect(isFinished('code', FILLED, RULES, NOW)).toBe(true);
  });

  test('moves on only from complete and valid fields, and never from an amount', () => {
    expect(isFinished('amount', FILLED, RULES, NOW)).toBe(false);
    expect(isFinished('zip', FILLED, RULES, NOW)).toBe(false);
    expect(isFinished('expiry', { expiry: '01/2' }, RULES, NOW)).toBe(false);
    expect(isFinished('expiry', { expiry: '01/27' }, RULES, NOW)).toBe(true);
  });

  test('validates an optional email only if it is filled in', () => {
    expect(problemsOf(FILLED, RULES, NOW)).toEqual({});
    expect(problemsOf({ ...FILLED, email: 'ann@' }, RULES, NOW)).toEqual({ email: 'Enter a valid email address.' });
    expect(Object.keys(problemsOf({}, RULES, NOW))).toEqual(['amount', 'number', 'expiry', 'code', 'zip']);
  });

  test.each([
    ['US', '04101', true],
    ['US', '04101-1234', true],
    ['US', '4101', false],
    ['US', 'SW1A 1AA', true],
    ['CA', 'K1A 0B1', true],
    ['GB', 'sw1a1aa', true],
    ['AU', '2000', true],
    ['NZ', '6011', true],
    ['US', '', false],
  ])('for %s, validates %s as a postal code: %s', (country, text, good) => {
    expect(postalCodeProblem(text, country) === null).toBe(good);
  });

  test('shows the local name of postal codes', () => {
    expect(postalRule('US').label).toBe('ZIP');
    expect(postalRule('GB').label).toBe('Postcode');
    expect(postalRule('').label).toBe('Postal code');
  });

  test('validates bank numbers before they are sent', () => {
    expect(routingNumberProblem('011000015')).toBeNull();
    expect(routingNumberProblem('011000016')).toContain('digit is wrong');
    expect(routingNumberProblem('000000000')).not.toBeNull();
    expect(routingNumberProblem('0110')).toContain('nine');
    expect(bankAccountProblem('1234 5678')).toBeNull();
    expect(bankAccountProblem('123')).not.toBeNull();
  });
});

describe('the request', () => {
  test('the request contains only the typed values of a keyed card', () => {
    expect(saleRequest(FILLED, CHOICES, NOW)).toEqual({
      type: 'sale',
      amount: '45.00',
      currency: 'USD',
      merchantId: 'mer_1',
      paymentMethod: 'card',
      source: 'keyed',
      card: { number: '4111111111111111', expiryMonth: '12', expiryYear: '2028', cvv: '123' },
      billing: { zip: '04101', country: 'US' },
      channel: 'phone',
    });
  });

  test('the request contains optional fields that are filled in', () => {
    const values = {
      ...FILLED,
      name: 'Ann Maria Berg',
      email: 'ann@example.com',
      phone: '+1 207 555 0100',
      order: 'A-1',
      description: 'Pads',
      street: '1 Pier',
    };
    expect(saleRequest(values, { ...CHOICES, entry: 'swiped', type: 'auth' }, NOW)).toMatchObject({
      type: 'auth',
      source: 'swiped',
      customer: { name: 'Ann Maria Berg', email: 'ann@example.com' },
      billing: { firstName: 'Ann', lastName: 'Maria Berg', address: '1 Pier', zip: '04101', country: 'US' },
      orderId: 'A-1',
      description: 'Pads',
      metadata: { phone: '+1 207 555 0100' },
    });
  });

  test('the request contains the discount on a typed amount, and the amount after it', () => {
    const percent = { kind: 'percent', rate: 10_000 } as const;
    expect(saleRequest(FILLED, { ...CHOICES, discount: percent }, NOW)).toMatchObject({ amount: '40.50', discountAmount: '4.50' });
    expect(saleRequest(FILLED, { ...CHOICES, discount: null }, NOW)).not.toHaveProperty('discountAmount');
  });

  test('the request contains no card for a bank account or a stored token', () => {
    const bank = saleRequest(
      { amount: '10', routing: '011000015', account: '1234 5678', holder: 'Ann Berg' },
      { ...CHOICES, mode: 'bank' },
      NOW,
    );
    expect(bank).toMatchObject({
      paymentMethod: 'ach',
      bankAccount: { accountNumber: '12345678', routingNumber: '011000015', accountType: 'checking', accountHolderName: 'Ann Berg' },
      customer: { name: 'Ann Berg' },
    });
    const saved = saleRequest({ ...FILLED, token: ' tok_01abcdef ' }, { ...CHOICES, mode: 'saved' }, NOW);
    expect(saved).toMatchObject({ paymentMethod: 'token', source: 'saved', token: 'tok_01abcdef' });
    expect(saved).not.toHaveProperty('card');
  });

  test('allows a part only of a sale of an order, by a payment method that may pay one', () => {
    const inOrder = { ...FILLED, order: 'ord_00000000000000000000000000', token: 'tok_01abcdef' };
    const sent = (choices: Partial<typeof CHOICES>, values: SaleValues = inOrder) => saleRequest(values, { ...CHOICES, ...choices }, NOW);
    expect(sent({})).toMatchObject({ allowPartialApproval: true });
    expect(sent({ takesPart: false })).not.toHaveProperty('allowPartialApproval');
    expect(sent({}, { ...inOrder, order: '1042' })).not.toHaveProperty('allowPartialApproval');
  });

  test('creates no request from an incomplete form', () => {
    expect(saleRequest({ ...FILLED, amount: '' }, CHOICES, NOW)).toBeNull();
    expect(saleRequest({ ...FILLED, expiry: '1' }, CHOICES, NOW)).toBeNull();
  });
});

describe('a decline', () => {
  test.each([
    ['cvv_failure', 'code'],
    ['avs_failure', 'zip'],
    ['invalid_account', 'number'],
    ['invalid_expiry', 'expiry'],
    ['expired_card', 'expiry'],
    ['insufficient_funds', 'amount'],
    ['exceeds_limit', 'amount'],
    ['R03', 'account'],
  ])('the decline %s focuses the field %s', (code, field) => {
    expect(declineAdvice(code, code.startsWith('R') ? 'bank' : 'card').step).toEqual({ kind: 'field', field });
  });

  test.each(['call_issuer', 'card_declined', 'do_not_honor', 'restricted_card', 'something_new'])(
    'the decline %s asks for another card',
    (code) => {
      expect(declineAdvice(code, 'card').step.kind).toBe('other-method');
    },
  );

  test.each(['fraud_suspected', 'lost_stolen'])('ends the sale after the decline %s with a neutral text', (code) => {
    const { step, text } = declineAdvice(code, 'card');
    expect(step.kind).toBe('stop');
    expect(text).not.toMatch(/fraud|stolen|lost/i);
  });

  test('a declined card on file never focuses a field that is not shown', () => {
    expect(declineAdvice('cvv_failure', 'saved').step.kind).toBe('other-method');
    expect(declineAdvice('insufficient_funds', 'saved').step).toEqual({ kind: 'field', field: 'amount' });
  });
});

test('fills in amount, order and customer from a link, and never card data', () => {
  expect(prefillOf(new URLSearchParams('amount=45&order=A-1&customer=Ann'))).toEqual({ amount: '45', order: 'A-1', name: 'Ann' });
  expect(prefillOf(new URLSearchParams('customer=ann@example.com'))).toEqual({ email: 'ann@example.com' });
  expect(prefillOf(new URLSearchParams('number=4111111111111111&expiry=1228&code=123'))).toEqual({});
  expect(prefillOf(new URLSearchParams('order=4111-1111-1111-1111&amount='))).toEqual({});
});

test('accepts every test card', () => {
  for (const card of TEST_CARDS.flatMap(({ cards }) => cards)) {
    expect(problemsOf({ ...FILLED, ...testCardValues(card, NOW) }, RULES, NOW)).toEqual({});
  }
});

test('describes the results of address and code checks', () => {
  expect(addressCheck('Z')).toBe('ZIP matches, street does not');
  expect(addressCheck('Y', { address: '1 Main St', zip: '04101' })).toBe('Street and ZIP match');
  expect(addressCheck('Z', { address: '1 Main St', zip: '04101' })).toBe('ZIP matches, street does not');
  expect(addressCheck('Z', { zip: '04101' })).toBe('ZIP matches; street not checked');
  expect(addressCheck('N', { zip: '04101' })).toBe('ZIP does not match');
  expect(addressCheck('A', { address: '1 Main St', zip: null })).toBe('Street matches; ZIP not checked');
  expect(addressCheck('U', { zip: '04101' })).toBe('The bank didn’t check the address');
  expect(addressCheck(null)).toBe('No address entered');
  expect(codeCheck('M')).toBe('Matches');
  expect(codeCheck('?')).toBe('Response ?');
});

describe('tip and surcharge', () => {
  test.each([
    ['45', '', 0, '45.00', null, null],
    ['45', '5', 0, '50.00', '5.00', null],
    ['45', '0', 0, '45.00', null, null],
    ['100', '', 3, '103.00', null, '3.00'],
    ['10.10', '1.15', 2.5, '11.50', '1.15', '0.25'],
    ['0.10', '', 3, '0.10', null, null],
    ['100', '', 2.9, '102.90', null, '2.90'],
  ])('charges %s with tip %s at %f %% surcharge as %s', (amount, tip, surchargePercent, decimal, tipOf, surcharge) => {
    expect(totalOf({ amount, tip }, { currency: 'USD', mode: 'card', surchargePercent })).toEqual({
      decimal,
      tip: tipOf,
      tax: null,
      surcharge,
      discount: null,
    });
  });

  test('adds no surcharge to a bank account, and computes no total with an invalid tip', () => {
    expect(totalOf({ amount: '100' }, { currency: 'USD', mode: 'bank', surchargePercent: 3 })?.decimal).toBe('100.00');
    expect(totalOf({ amount: '100', tip: '1,5' }, { currency: 'USD', mode: 'card' })).toBeNull();
    expect(totalOf({ amount: '1000' }, { currency: 'JPY', mode: 'card', surchargePercent: 2.5 })).toEqual({
      decimal: '1025',
      tip: null,
      tax: null,
      surcharge: '25',
      discount: null,
    });
  });

  test.each([
    ['10', '', false, '10.83', '0.83'],
    ['10', '', true, '10.00', '0.76'],
    ['10', '0.50', false, '10.50', '0.50'],
    ['10', '0.50', true, '10.00', '0.50'],
    ['10', '0', false, '10.00', null],
    ['0.05', '', false, '0.05', null],
  ])('charges %s with the tax "%s" (included: %s) as %s', (amount, tax, isIncluded, decimal, taxOf) => {
    const rule = { name: 'Sales tax', percent: 8.25, isIncluded };
    const found = totalOf({ amount, tax }, { currency: 'USD', mode: 'card', tax: rule });
    expect(found).toEqual({ decimal, tip: null, tax: taxOf, surcharge: null, discount: null });
    const request = saleRequest({ ...FILLED, amount, tax }, { ...CHOICES, tax: rule }, NOW);
    expect([request?.amount, request?.taxAmount ?? null]).toEqual([decimal, taxOf]);
  });

  test('adds the surcharge to amount and tax, and computes no total with a tax that is invalid or above the amount', () => {
    const rules = {
      currency: 'USD',
      mode: 'card',
      tax: { name: 'Sales tax', percent: 10, isIncluded: false },
      surchargePercent: 3,
    } as const;
    const total = { decimal: '118.30', tip: '5.00', tax: '10.00', surcharge: '3.30', discount: null };
    expect(totalOf({ amount: '100', tip: '5' }, rules)).toEqual(total);
    const discounted = { decimal: '106.97', tip: '5.00', tax: '9.00', surcharge: '2.97', discount: '10.00' };
    expect(totalOf({ amount: '100', tip: '5' }, { ...rules, discount: { kind: 'percent', rate: 10_000 } })).toEqual(discounted);
    expect(totalOf({ amount: '100', tip: '5' }, { ...rules, discount: { kind: 'amount', minor: 1_000 } })).toEqual(discounted);
    expect(totalOf({ amount: '10' }, { ...rules, discount: { kind: 'amount', minor: 1_000 } })).toBeNull();
    expect(totalOf({ amount: '100', tax: 'x' }, rules)).toBeNull();
    expect(totalOf({ amount: '1', tax: '1.01' }, { ...rules, tax: { ...rules.tax, isIncluded: true } })).toBeNull();
  });
});
