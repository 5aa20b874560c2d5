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
