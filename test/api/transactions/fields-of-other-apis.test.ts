import { expect, test } from 'vitest';
import { CARDS, cardBody, type TransactionRecord } from '../../support/sales.ts';
import { describeOnAnyDatabase, expectData, expectError } from '../../support/server.ts';
import { createMerchant } from '../../support/settlements.ts';

const PUBLIC_SALE = { Amount: 12, CardNumber: CARDS.visa, ExpiryMonth: '12', ExpiryYear: '2031', CVV: '123' };
const SDK_SALE = { Amount: '12.00', CardNumber: CARDS.visa, ExpiryDate: '1231', Cvv: '123' };

describeOnAnyDatabase('fields of other APIs in a sale', (fixture) => {
  test.each([{ TransactionType: 'refund' }, { transaction_type: 'credit' }, { intent: 'refund' }, { Intent: 'void' }])(
    'refuses %o on each surface, and takes no amount that the caller means to return',
    async (more) => {
      const { api } = fixture();
      const merchantId = await createMerchant(fixture());
      const [field = ''] = Object.keys(more);
      const admin = api.admin.post('/transactions', { ...cardBody(12), merchantId, ...more });
      const { message } = await expectError(admin, 400, 'VALIDATION_ERROR', field);
      expect(message).toContain('Refunds, credits and voids have operations of their own.');
      expect(await expectData(api.admin.get(`/transactions?merchantId=${merchantId}`))).toEqual([]);
      await expectError(api.public.post('/transaction', { ...PUBLIC_SALE, ...more }), 400, 'VALIDATION_ERROR', field);
      await expectError(api.public.post('/token-transaction', { token: 'tok_1', amount: 12, ...more }), 400, 'VALIDATION_ERROR', field);
    },
  );

  test('takes a card type beside a sale', async () => {
    expect(await expectData(fixture().api.public.post('/transaction', { ...PUBLIC_SALE, type: 'credit' }))).toMatchObject({ type: 'sale' });
  });

  test.each([{ capture: false }, { capture: 'false' }, { capture_method: 'manual' }, { autocomplete: false }, { intent: 'authorize' }])(
    'refuses %o on each surface, names the field that authorizes, and charges nothing',
    async (more) => {
      const { api } = fixture();
      const merchantId = await createMerchant(fixture());
      const [field = ''] = Object.keys(more);
      const admin = await expectError(
        api.admin.post('/transactions', { ...cardBody(12), merchantId, ...more }),
        400,
        'VALIDATION_ERROR',
        field,
      );
      expect(admin.message).toBe(`There is no field \`${field}\`. To authorize only, send \`type\` with the value \`auth\`.`);
      expect(await expectData(api.admin.get(`/transactions?merchantId=${merchantId}`))).toEqual([]);
      const sdk = await expectError(api.sdk.post('/transaction', { ...SDK_SALE, ...more }), 400, 'VALIDATION_ERROR', field);
      expect(sdk.message).toContain('`TransactionType` with the value `0`');
      for (const [path, body] of [
        ['/transaction', PUBLIC_SALE],
        ['/token-transaction', { token: 'tok_1', amount: 12 }],
      ] as const) {
        const error = await expectError(api.public.post(path, { ...body, ...more }), 400, 'VALIDATION_ERROR', field);
        expect(error.message).toContain('`POST /api/v1/transactions` and `type` `auth`');
      }
    },
  );

  test('refuses the authorization of the SDK surface on the Public surface, and that of both on the other one', async () => {
    const { api } = fixture();
    await expectError(
      api.public.post('/transaction', { ...PUBLIC_SALE, TransactionType: '0' }),
      400,
      'VALIDATION_ERROR',
      'TransactionType',
    );
    await expectError(api.public.post('/transaction', { ...PUBLIC_SALE, type: 'auth' }), 400, 'VALIDATION_ERROR', 'type');
    await expectError(api.sdk.post('/transaction', { ...SDK_SALE, Type: 'auth' }), 400, 'VALIDATION_ERROR', 'Type');
    const admin = { ...cardBody(12), type: undefined, TransactionType: '0' };
    await expectError(api.admin.post('/transactions', admin), 400, 'VALIDATION_ERROR', 'TransactionType');
  });

  test('ignores a kind that asks for a sale, and names it in the response', async () => {
    const { api } = fixture();
    const admin = api.admin.post<TransactionRecord>('/transactions', { ...cardBody(12), intent: 'sale' });
    expect(await expectData(admin)).toMatchObject({ type: 'sale', captured: true });
    const response = await api.public.post('/transaction', { ...PUBLIC_SALE, type: 'sale', TransactionType: '1' });
    expect(await expectData(response)).toMatchObject({ type: 'sale', captured: true });
    expect(response.headers.get('paydesk-ignored-fields')).toBe('type, TransactionType');
  });

  test('refuses a mode of capture even if it asks for a sale, because a later value would not', async () => {
    const { api } = fixture();
    await expectError(api.admin.post('/transactions', { ...cardBody(12), capture: true }), 400, 'VALIDATION_ERROR', 'capture');
    await expectError(api.public.post('/transaction', { ...PUBLIC_SALE, Capture: true }), 400, 'VALIDATION_ERROR', 'Capture');
  });

  test.each([
    [{ card: { ...cardBody(1).card, cvv: undefined, cvc: '123' } }, 'card.cvc', 'cvv'],
    [{ billing: { postalCode: '04101' } }, 'billing.postalCode', 'zip'],
    [{ tip: 2 }, 'tip', 'tipAmount'],
    [{ tax: 1 }, 'tax', 'taxAmount'],
    [{ discount: 1 }, 'discount', 'discountAmount'],
    [{ surcharge: 0.3 }, 'surcharge', 'surchargeAmount'],
  ])('refuses %o and names the field that has this meaning', async (more, field, meant) => {
    const answer = fixture().api.admin.post('/transactions', { ...cardBody(12), ...more });
    const { message } = await expectError(answer, 400, 'VALIDATION_ERROR', field);
    expect(message).toBe(`There is no field \`${field}\`. Did you mean \`${meant}\`?`);
  });
});

describeOnAnyDatabase('the invoice of a payment', (fixture) => {
  test.each(['invoiceId', 'invoice_id'])('is refused as `%s` on each surface, and names the operation that pays it', async (field) => {
    const { api } = fixture();
    const merchantId = await createMerchant(fixture());
    const more = { [field]: 'inv_1' };
    const requests = [
      api.admin.post('/transactions', { ...cardBody(12), merchantId, ...more }),
      api.admin.post('/tenders', { kind: 'cash', amount: 12, merchantId, ...more }),
      api.admin.post('/queued-payments', { customerId: 'cus_1', amount: 12, merchantId, ...more }),
      api.public.post('/transaction', { ...PUBLIC_SALE, ...more }),
      api.public.post('/token-transaction', { token: 'tok_1', amount: 12, ...more }),
      api.public.post('/tenders', { kind: 'cash', amount: 12, ...more }),
      api.public.post('/generate-url', { amount: 12, ...more }),
      api.sdk.post('/transaction', { ...SDK_SALE, ...more }),
    ];
    for (const request of requests) {
      const { message } = await expectError(request, 400, 'VALIDATION_ERROR', field);
      expect(message).toBe(
        `There is no field \`${field}\`: this operation does not pay an invoice. Pay it with \`POST /api/v1/invoices/{id}/payment\`.`,
      );
    }
    for (const list of ['transactions', 'tenders'])
      expect(await expectData(api.admin.get(`/${list}?merchantId=${merchantId}`))).toEqual([]);
  });

  test('is ignored and named by operations that name it in their path or take no payment', async () => {
    const { api } = fixture();
    for (const [path, body] of [
      ['/invoices/inv_1/payment', { amount: 12, paymentMethod: 'cash' }],
      ['/transactions/txn_1/capture', { amount: 12 }],
    ] as const) {
      const answer = await api.admin.post(path, { ...body, invoiceId: 'inv_1' });
      expect([answer.status, answer.headers.get('paydesk-ignored-fields')], path).toEqual([404, 'invoiceId']);
    }
  });
});
