import { expect, test } from 'vitest';
import { cardBody } from '../../support/sales.ts';
import { type Answer, describeOnAnyDatabase, expectData } from '../../support/server.ts';

async function expectRefused(answer: Promise<Answer<unknown>>, field: string): Promise<void> {
  const { status, body } = await answer;
  expect([status, body.error?.code, body.error?.field, body.error?.details?.reason]).toEqual([
    400,
    'VALIDATION_ERROR',
    field,
    'control_character',
  ]);
}

describeOnAnyDatabase('Control characters in texts', (fixture) => {
  test.for(['\r\nBcc: all@example.com', 'a\nb', 'a\tb', 'a\u001bb', 'a\u0085b', 'a\u2028b'])(
    'refuses %j in texts of one line',
    async (text) => {
      const { api, credentials } = fixture();
      const merchant = `/merchants/${credentials.merchantId}`;
      await expectRefused(api.admin.put(merchant, { name: text }), 'name');
      await expectRefused(api.admin.put(`${merchant}/branding`, { companyName: text }), 'companyName');
      await expectRefused(api.admin.post('/roles', { name: text, permissions: [] }), 'name');
      await expectRefused(api.admin.post('/items', { name: text, price: 1 }), 'name');
      await expectRefused(api.admin.post('/transactions', cardBody(20, undefined, { orderId: text })), 'orderId');
      await expectRefused(api.admin.post('/transactions', cardBody(20, undefined, { billing: { firstName: text } })), 'billing.firstName');
    },
  );

  test('accepts line breaks in notes and metadata, but no other control characters in notes', async () => {
    const { api } = fixture();
    const notes = 'Prefers\tcalls.\r\nSecond line.';
    const customer = await expectData(
      api.admin.post<{ notes: string }>('/customers', { firstName: 'Ada', notes, metadata: { text: 'a\nb' } }),
      201,
    );
    expect(customer.notes).toBe(notes);
    await expectRefused(api.admin.post('/customers', { firstName: 'Ada', notes: 'a\u001b[2Jb' }), 'notes');
  });
});
