// Parts of amounts and purchase order numbers at processors, and changes of amounts that these processors do not support.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cardPayment, type LiveCore, openLiveCore } from '../../../support/live-core.ts';

const PARTS = { tipAmount: '5.00', surchargeAmount: '1.00', taxAmount: '2.50' };
const DETAILS = { tip: '5.00', surcharge: '1.00', tax: '2.50' };

describe.each(['authorizenet', 'nmi'] as const)('parts of an amount at %s', (type) => {
  let live: LiveCore;
  let simulator: Awaited<ReturnType<LiveCore['addSimulator']>>;
  beforeAll(async () => {
    live = await openLiveCore('sqlite');
    simulator = await live.addSimulator(type);
    // Card ranges of a live account are not known here, so the surcharge is stated by a program with card data of its own.
    await live.core.merchants.update(live.actor, live.merchantId, { state: 'NH' });
    await live.core.merchants.changeSection(live.actor, live.merchantId, 'amount-settings', { surchargeCheck: 'limits' });
  });
  afterAll(() => live.close());

  const atPeer = (processorRef: string) => simulator.ledger.byOurReference(processorRef)[0]?.details;

  test('are sent with a sale, together with the purchase order number', async () => {
    const { processorRef, status } = await live.core.payments.createPayment(live.actor, {
      ...cardPayment(41),
      ...PARTS,
      purchaseOrderNumber: 'PO-2291',
    });
    expect(status).toBe('approved');
    expect(atPeer(processorRef)).toMatchObject({ ...DETAILS, ponumber: 'PO-2291' });
  });

  test('are sent with the lines of an itemized sale, unless there are more than the processor takes', async () => {
    const lineOf = (description: string) => ({ description, quantity: 2, unitPrice: '4.50', taxRate: 8.875 });
    const few = { ...cardPayment(19.6), lineItems: [lineOf('Flat white'), lineOf('Tea')] };
    const { processorRef, status } = await live.core.payments.createPayment(live.actor, few);
    expect(status).toBe('approved');
    const lines = { lines: '2 × Flat white 4.50, 2 × Tea 4.50' };
    const fields = {
      item_description_2: 'Tea',
      item_quantity_2: '2',
      item_unit_cost_2: '4.50',
      item_tax_amount_2: '0.80',
      item_total_amount_2: '9.80',
    };
    expect(atPeer(processorRef)).toMatchObject({ tax: '1.60', ...(type === 'nmi' ? fields : lines) });
    const many = { ...cardPayment(303.8), lineItems: Array.from({ length: 31 }, (_, index) => lineOf(`Item ${index}`)) };
    expect(await live.core.payments.createPayment(live.actor, many)).toMatchObject({ status: 'approved' });
  });

  test('are sent with lines whose discounts make them add up to the amount', async () => {
    const lineItems = [
      { description: 'Chain', quantity: 2, unitPrice: '10.00', taxRate: 10, discountAmount: '4.00' },
      { description: 'Lamp', unitPrice: '11.00', taxRate: 10, taxIncluded: true, discountAmount: '5.50' },
      { description: 'Bell', quantity: '1.5', unitPrice: '3.00' },
    ];
    const sale = { ...cardPayment(29.6), lineItems, tipAmount: '2.00' };
    const { processorRef, status } = await live.core.payments.createPayment(live.actor, sale);
    expect(status).toBe('approved');
    const details = atPeer(processorRef) ?? {};
    expect(details).toMatchObject({ tip: '2.00', tax: '2.10' });
    if (type === 'authorizenet') {
      // The line without a discount is quantity times unit price.
      expect(details.lines).toBe('2 × Chain 10.00 - 4.00 = 17.60, 1 × Lamp 11.00 - 5.50 = 5.50, 1.5 × Bell 3.00');
      return;
    }
    const fieldOf = (name: string) => [1, 2, 3].map((line) => details[`item_${name}_${line}`]);
    expect(fieldOf('unit_cost')).toEqual(['10.00', '11.00', '3.00']);
    expect(fieldOf('discount_amount')).toEqual(['4.00', '5.50', undefined]);
    expect(fieldOf('tax_amount')).toEqual(['1.60', '0.50', '0.00']);
    expect(fieldOf('total_amount')).toEqual(['17.60', '5.50', '4.50']);
  });

  test('are left out if the payment has none', async () => {
    const { processorRef } = await live.core.payments.createPayment(live.actor, cardPayment(42));
    expect(Object.keys(atPeer(processorRef) ?? {})).not.toEqual(expect.arrayContaining(['tip']));
  });

  test('cannot be changed after the authorization, because the processor does not support it', async () => {
    const { transactionId } = await live.core.payments.createPayment(live.actor, cardPayment(43, { type: 'auth' }));
    const refused = { code: 'RESOURCE_CONFLICT', details: { reason: 'gateway_cannot_adjust' } };
    await expect(live.core.payments.adjustTip(live.actor, { transactionId, tipAmount: 5 })).rejects.toMatchObject(refused);
    await expect(live.core.payments.adjustAuthorization(live.actor, { transactionId, amount: 50 })).rejects.toMatchObject(refused);
    expect(await live.core.payments.get(live.actor, transactionId)).toMatchObject({ status: 'approved', amount: { minor: 4_300 } });
  });
});
