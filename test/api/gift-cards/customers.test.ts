import { expect, test } from 'vitest';
import { surfaceOf } from '../../support/api-client.ts';
import { createPerson } from '../../support/approvals.ts';
import { createCustomer } from '../../support/customers.ts';
import { type GiftCardRecord, getGiftCard, giveGiftCard, redeem } from '../../support/gift-cards.ts';
import { describeOnBothDatabases, expectData, expectError } from '../../support/server.ts';
import { createMerchant } from '../../support/settlements.ts';
import { createUser } from '../../support/users.ts';
import { findEvent } from '../../support/webhooks.ts';

describeOnBothDatabases('gift cards of customers', (fixture) => {
  const assign = (id: string, customerId: string | null) =>
    fixture().api.admin.post<GiftCardRecord>(`/gift-cards/${id}/assign`, { customerId });
  const found = async (query: string) =>
    (await expectData(fixture().api.admin.get<GiftCardRecord[]>(`/gift-cards?${query}`))).map(({ giftCardId }) => giftCardId);

  test('names the customer of a card, which still pays by its code only', async () => {
    const { customerId, merchantId } = await createCustomer(fixture());
    const { giftCardId, code } = await giveGiftCard(fixture(), 20, { merchantId });
    const credit = await giveGiftCard(fixture(), 5, { merchantId, customerId });
    await expectData(assign(giftCardId, customerId));
    expect(await found(`customerId=${customerId}`)).toEqual([credit.giftCardId, giftCardId]);
    expect(await findEvent(fixture(), 'gift_card.assigned', ({ data }) => data.giftCardId === giftCardId)).toMatchObject({
      data: { customerId, changeAmount: 0, balance: 20 },
    });
    const byId = fixture().api.admin.post('/tenders', { kind: 'gift_card', giftCardId, customerId, amount: 5, merchantId });
    await expectError(byId, 400, 'VALIDATION_ERROR');
    await expectData(redeem(fixture(), code ?? '', 5, { merchantId }), 201);
    await expectError(assign(credit.giftCardId, null), 409, 'RESOURCE_CONFLICT');
    await expectData(assign(giftCardId, null));
    expect(await found(`customerId=${customerId}`)).toEqual([credit.giftCardId]);
  });

  test('refuses unknown customers, and those and people of other merchants', async () => {
    const { customerId, merchantId } = await createCustomer(fixture());
    const { giftCardId } = await giveGiftCard(fixture(), 20, { merchantId });
    const other = await createMerchant(fixture());
    const stranger = await createCustomer(fixture(), { merchantId: other });
    await expectError(assign(giftCardId, stranger.customerId), 400, 'VALIDATION_ERROR', 'customerId');
    await expectError(assign(giftCardId, 'cus_00000000000000000000000000'), 404, 'CUSTOMER_NOT_FOUND');
    const { as } = await createPerson(fixture(), 'manager', other);
    expect((await as.post(`/gift-cards/${giftCardId}/assign`, { customerId })).status).toBe(403);
    expect(await getGiftCard(fixture(), giftCardId)).toMatchObject({ customerId: null });
  });

  test('takes a deleted customer off the cards that name it', async () => {
    const { api } = fixture();
    const { customerId, merchantId } = await createCustomer(fixture());
    const cards = [await giveGiftCard(fixture(), 20, { merchantId }), await giveGiftCard(fixture(), 20, { merchantId })];
    for (const { giftCardId } of cards) await expectData(assign(giftCardId, customerId));
    await expectData(api.admin.delete(`/customers/${customerId}`));
    for (const { giftCardId } of cards) expect(await getGiftCard(fixture(), giftCardId)).toMatchObject({ customerId: null, balance: 20 });
  });

  test('are found by last characters, ID and the name of the customer, and never by their code', async () => {
    const { api } = fixture();
    const lastName = `Quill${Date.now() % 1e9}`;
    const { customerId, merchantId } = await createCustomer(fixture(), { lastName });
    const { giftCardId, code, lastCharacters } = await giveGiftCard(fixture(), 20, { merchantId });
    await expectData(assign(giftCardId, customerId));
    for (const q of [lastCharacters ?? '', (lastCharacters ?? '').toLowerCase(), giftCardId, lastName])
      expect(await found(`merchantId=${merchantId}&q=${q}`)).toContain(giftCardId);
    expect(await found(`merchantId=${merchantId}&q=${(code ?? '').slice(0, 4)}`)).not.toContain(giftCardId);
    for (const q of [code ?? '', (code ?? '').replaceAll('-', '').toLowerCase(), ';6006491234567890=4912?']) {
      const { message } = await expectError(api.admin.get(`/gift-cards?q=${encodeURIComponent(q)}`), 400, 'VALIDATION_ERROR', 'q');
      expect(message).toContain('POST /gift-cards/balance');
    }
    const list = await api.admin.get(`/gift-cards?merchantId=${merchantId}&q=${lastName}`);
    expect(list.text).not.toContain(code);
  });

  test('are found by the phone number of the customer, by callers who may read customers', async () => {
    const phone = `+1212555${String(Date.now()).slice(-4)}`;
    const { customerId, merchantId } = await createCustomer(fixture(), { phone });
    const { giftCardId } = await giveGiftCard(fixture(), 20, { merchantId });
    await expectData(assign(giftCardId, customerId));
    for (const q of [phone, phone.slice(1), phone.slice(-7), `(212) 555-${phone.slice(-4)}`])
      expect(await found(`merchantId=${merchantId}&q=${encodeURIComponent(q)}`)).toEqual([giftCardId]);
    const { headers } = await createUser(fixture(), 'cashier', { permissions: ['gift-cards:read'] });
    const as = surfaceOf(fixture().baseUrl, '/api/v1', () => headers);
    expect(await expectData(as.get(`/gift-cards?q=${encodeURIComponent(phone)}`))).toEqual([]);
  });

  test('are found by last characters as they are read on the card', async () => {
    const { merchantId } = await createCustomer(fixture());
    const code = `GIFTCARD${Date.now()}01A1`;
    const { giftCardId } = await giveGiftCard(fixture(), 20, { merchantId, code });
    for (const q of ['01A1', 'OIAL', 'oiai']) expect(await found(`merchantId=${merchantId}&q=${q}`)).toContain(giftCardId);
  });
});
