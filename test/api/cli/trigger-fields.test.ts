import { beforeAll, expect, test } from 'vitest';
import { checkFields, mainRequestOf } from '../../../cli/triggers/settable-fields.ts';
import { EVENT_TYPES } from '../../../shared/webhook-events.ts';
import { describeOnSmallData } from '../../support/server.ts';

describeOnSmallData('the fields of `trigger --set`', ['sqlite'], (fixture) => {
  let document: object;
  beforeAll(async () => {
    document = (await (await fetch(`${fixture().baseUrl}/openapi.json`)).json()) as object;
  });

  test('accepts the fields of the main request, at any depth, and any name in an object that is free', () => {
    const paths = ['amount', 'orderId', 'card.number', 'metadata.vip', 'shippingAddress'];
    expect(() => checkFields('transaction.approved', paths, document)).not.toThrow();
    expect(() => checkFields('subscription.created', ['frequency', 'card.number'], document)).not.toThrow();
    expect(() => checkFields('payment_method.updated', ['expiryYear'], document)).not.toThrow();
    expect(() => checkFields('installment_plan.created', ['invoice.amount', 'count'], document)).not.toThrow();
    expect(() => checkFields('customer_import.finished', ['customerId', 'firstName'], document)).not.toThrow();
  });

  test.each([
    ['transaction.approved', 'amonut', /no field `amonut`\. Did you mean `amount`\?/],
    ['transaction.approved', 'order_id', /Did you mean `orderId`\?/],
    ['transaction.approved', 'card.nubmer', /no field `card\.nubmer`\. Did you mean `number`\?/],
    ['payment_method.updated', 'card', /Did you mean `\w+`\?|Fields: .*number/],
    ['shift.opened', 'favouriteColor', /no field `favouriteColor`\. Fields: .*amount/],
    ['security.sign_in', 'amount', /security\.sign_in has no fields to set/],
  ] as const)('refuses for %s the field %s', (type, path, message) => {
    expect(() => checkFields(type, [path], document)).toThrow(
      expect.objectContaining({ exitCode: 2, message: expect.stringMatching(message) }),
    );
  });

  test('knows the fields of every main request', () => {
    for (const type of EVENT_TYPES.filter((each) => mainRequestOf(each) !== null))
      expect(() => checkFields(type, ['a name that no request has'], document), type).toThrow(/Fields: \w+/);
  });
});
