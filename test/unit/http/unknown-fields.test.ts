import { expect, test } from 'vitest';
import { knownFieldsOf, type Route, refuseAmount, withoutShownObjects } from '#server/http';
import { allRoutes } from '../../../server/routes.ts';

type WithBody = Route & { readonly body: NonNullable<Route['body']> };

const unused = () => {
  throw new Error('no route is called');
};
const setup = { dataDir: '', isSetUp: unused, restore: unused, examineDatabase: unused, join: unused, setUp: unused };
const routes = allRoutes(setup, unused).filter((route): route is WithBody => route.body !== undefined);
const routeOf = (id: string): WithBody => {
  const found = routes.find((route) => route.id === id);
  if (!found) throw new Error(`There is no route ${id}.`);
  return found;
};

test.each([
  ['admin.refundTransaction', { amout: 5 }, 'amout', 'amount'],
  ['public.refundTransaction', { transactionId: 'txn_x', Amount: 5 }, 'Amount', 'amount'],
  ['sdk.refundTransaction', { TransactionId: 'txn_x', amount: '5' }, 'amount', 'Amount'],
  ['admin.refundTransaction', { refundAmount: 5 }, 'refundAmount', 'amount'],
  ['public.refundTransaction', { transactionId: 'txn_x', refund_amount: 5 }, 'refund_amount', 'amount'],
  ['sdk.refundTransaction', { TransactionId: 'txn_x', RefundAmount: '5' }, 'RefundAmount', 'Amount'],
  ['admin.captureTransaction', { captureAmount: 5 }, 'captureAmount', 'amount'],
  ['admin.createPayout', { merchantId: 'mer_x', payoutAmount: 5 }, 'payoutAmount', 'amount'],
  ['admin.createTransaction', { amount: 5, card: { number: '4', expiryMonht: '12' } }, 'card.expiryMonht', 'expiryMonth'],
  ['admin.createInvoice', { items: [{ description: 'Repair', quantitiy: 2 }] }, 'items.0.quantitiy', 'quantity'],
  ['admin.createInvoice', { amount: 5, lineItems: [] }, 'lineItems', 'items'],
  ['admin.createTransaction', { amount: 5, items: [] }, 'items', 'lineItems'],
  ['admin.changeFraudSettings', { maxAmout: 100 }, 'maxAmout', 'maxAmount'],
])('%s refuses %j as a misspelling', (id, body, field, meant) => {
  expect(() => knownFieldsOf(routeOf(id), body)).toThrow(`There is no field \`${field}\`. Did you mean \`${meant}\`?`);
});

test.each(['admin.voidTransaction', 'admin.rerunTransaction', 'admin.cancelInvoice', 'public.voidTransaction', 'sdk.cancelCapture'])(
  '%s refuses an amount, because it concerns the whole amount',
  (id) => {
    const route = allRoutes(setup, unused).find((each) => each.id === id);
    const body = route?.body as WithBody['body'] | undefined;
    for (const name of ['amount', 'Amount']) {
      const check = () =>
        route === undefined || body === undefined ? refuseAmount({ [name]: 5 }) : knownFieldsOf({ ...route, body }, { [name]: 5 });
      expect(check).toThrow(`There is no field \`${name}\`: this operation takes no amount.`);
    }
  },
);

test('names the amounts of an operation without `amount`', () => {
  const check = () => knownFieldsOf(routeOf('admin.concludeDispute'), { outcome: 'won', amount: 5 });
  expect(check).toThrow('There is no field `amount`. Amounts of this operation: feeAmount, returnedAmount.');
});

test.each([
  ['admin.payInvoice', { amount: 5, paymentMethod: 'cash', tipAmount: 1 }, 'tipAmount', 'amount, surchargeAmount'],
  ['admin.payInvoice', { amount: 5, paymentMethod: 'cash', discount_amount: 1 }, 'discount_amount', 'amount, surchargeAmount'],
  ['admin.adjustAuthorization', { amount: 5, discountAmount: 1 }, 'discountAmount', 'amount, tipAmount, surchargeAmount, taxAmount'],
])('%s refuses %j, because it does not take this part of an amount', (id, body, field, amounts) => {
  expect(() => knownFieldsOf(routeOf(id), body)).toThrow(`There is no field \`${field}\`. Amounts of this operation: ${amounts}.`);
});

test.each([
  ['admin.refundTransaction', { amount: 5, currency: 'EUR' }, 'currency'],
  ['sdk.captureTransaction', { TransactionId: 'txn_x', Amount: '5', Currency: 'EUR' }, 'Currency'],
  ['admin.payInvoice', { amount: 5, paymentMethod: 'cash', currency: 'EUR' }, 'currency'],
])('%s refuses a currency, because the amount is in that of its record', (id, body, field) => {
  expect(() => knownFieldsOf(routeOf(id), body)).toThrow(
    `There is no field \`${field}\`: this operation cannot choose the currency. Leave it out.`,
  );
});

test('ignores unknown fields that resemble no absent field, on every route', () => {
  for (const route of routes) expect(knownFieldsOf(route, { zebraCrossing: 1 }), route.id).toEqual({});
  expect(knownFieldsOf(routeOf('admin.refundTransaction'), { amount: 5, amounts: 6 })).toEqual({ amount: 5 });
});

test('accepts the read-only fields of the record in a PUT', () => {
  const record = { customerId: 'cus_x', merchantId: 'mer_x', firstName: 'Ann', createdAt: '2026-11-21T04:01:55.602Z' };
  expect(knownFieldsOf(routeOf('admin.updateCustomer'), record)).toEqual({ firstName: 'Ann' });
});

test('leaves out the objects of a response that a request cannot contain, and nothing else', () => {
  const route = routeOf('admin.updateSubscription');
  const shown = { amount: 5, card: { type: 'card', brand: 'visa', last4: '1111' } };
  const sent = (body: object) => withoutShownObjects(route, body);
  expect(sent(shown)).toEqual({ amount: 5 });
  const card = { number: '4111111111111111', expiryMonth: '12', expiryYear: '2031' };
  for (const body of [{ card }, { card: null }, { card: { last4: '1111', number: '4' } }, { planId: 'p' }]) expect(sent(body)).toBe(body);
  expect(withoutShownObjects(routeOf('admin.createSubscription'), shown)).toBe(shown);
});
