import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import { formatDay } from '../../../core/platform/documents/index.ts';
import { createPerson, setRules } from '../../support/approvals.ts';
import {
  type GiftCardRecord,
  getGiftCard,
  giveGiftCard,
  liabilityOf,
  orderGiftCard,
  redeem,
  sellGiftCard,
} from '../../support/gift-cards.ts';
import { getOrder } from '../../support/orders.ts';
import { CARDS, cardBody, type TransactionRecord } from '../../support/sales.ts';
import { type ApiFixture, expectData, expectError } from '../../support/server.ts';
import { createMerchant, settleOnRequest } from '../../support/settlements.ts';
import { refundTender } from '../../support/tenders.ts';
import { findEvent } from '../../support/webhooks.ts';
import { describeWithLedger } from '../reporting/ledger-server.ts';

const DAY_MS = 86_400_000;
const TEN = Array.from({ length: 10 }, (_, index) => index);

const nowOf = async ({ api }: ApiFixture) => Date.parse((await expectData(api.admin.get<{ now: string }>('/sandbox/clock'))).now);
const moveTo = ({ api }: ApiFixture, now: string | number) =>
  expectData(api.admin.post('/sandbox/clock', { now: new Date(now).toISOString() }));
/** Moves the clock to a second before, or after, the end of a day in UTC. */
const moveToEnd = (service: ApiFixture, day: string, seconds: -1 | 1) => moveTo(service, Date.parse(day) + DAY_MS + seconds * 1_000);

const setMonths = ({ api }: ApiFixture, merchantId: string, giftCardExpiryMonths: number | null) =>
  expectData(api.admin.put(`/merchants/${merchantId}/vt-settings`, { giftCardExpiryMonths }));

async function expiringMerchant(service: ApiFixture, timezone = 'UTC'): Promise<string> {
  const merchantId = await createMerchant(service, { timezone });
  // Each day of each merchant would be settled while the clock moves over months.
  await settleOnRequest(service, merchantId);
  await setMonths(service, merchantId, 1);
  return merchantId;
}

const extend = ({ api }: ApiFixture, id: string, expiresOn: string | null, headers?: Record<string, string>) =>
  api.admin.post<GiftCardRecord>(`/gift-cards/${id}/extend`, { expiresOn, reason: 'Agreed with Ann' }, headers);

const ledgerOf = async ({ api }: ApiFixture, merchantId: string) => {
  const { merchants } = await expectData(
    api.admin.get<{ merchants: { merchantId: string; accounts: { giftCards: number; giftCardsExpired: number } }[] }>('/settlement/ledger'),
  );
  const accounts = merchants.find((merchant) => merchant.merchantId === merchantId)?.accounts;
  return { owed: 0 - (accounts?.giftCards ?? 0), expired: 0 - (accounts?.giftCardsExpired ?? 0) };
};

const kindsOf = (card: GiftCardRecord) => card.entries?.map(({ kind, amount }) => [kind, amount]);
const addDays = (day: string, days: number) => new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);

describeWithLedger(
  'expiry of gift cards',
  (server, inFull) => {
    const fixture = () => server().service;

    afterEach(async () => expect(await server().differences()).toEqual([]));

    const balance = (merchantId: string, code: string) =>
      fixture().api.admin.post<GiftCardRecord>('/gift-cards/balance', { merchantId, code });
    const give = async (merchantId: string, amount = 20) => {
      const card = await giveGiftCard(fixture(), amount, { merchantId });
      return { ...card, code: card.code ?? '', expiresOn: card.expiresOn ?? '' };
    };

    test('is off by default, and applies to cards that are issued later and have a code', inFull, async () => {
      const { api } = fixture();
      const merchantId = await createMerchant(fixture(), { timezone: 'UTC' });
      const before = await giveGiftCard(fixture(), 20, { merchantId });
      expect(before.expiresOn).toBeNull();
      await expectError(api.admin.put(`/merchants/${merchantId}/vt-settings`, { giftCardExpiryMonths: 0 }), 400, 'VALIDATION_ERROR');
      await setMonths(fixture(), merchantId, 1);
      const { giftCardId } = before;
      await expectData(api.admin.post(`/gift-cards/${giftCardId}/reload`, { amount: 5, reason: 'Late delivery' }));
      expect((await getGiftCard(fixture(), giftCardId)).expiresOn).toBeNull();
      await expectError(extend(fixture(), giftCardId, '2099-01-01'), 409, 'RESOURCE_CONFLICT');
      const customer = { firstName: 'Ann', lastName: 'Ode', merchantId };
      const { customerId } = await expectData(api.admin.post<{ customerId: string }>('/customers', customer), 201);
      expect((await giveGiftCard(fixture(), 20, { merchantId, customerId })).expiresOn).toBeNull();
      const form = new FormData();
      form.set('merchantId', merchantId);
      form.set('file', new Blob(['code,balance\nAB3DEF9H1J3K5678,5\n']), 'cards.csv');
      await expectData(api.admin.post('/gift-cards/import', form));
      const [imported] = await expectData(api.admin.get<GiftCardRecord[]>(`/gift-cards?merchantId=${merchantId}&q=5678`));
      expect(imported).toMatchObject({ balance: 5, expiresOn: null });
      expect((await give(merchantId)).expiresOn).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    });

    test('moves the rest to an account of its own at the end of the last day, with entry, event, audit log and journal', async () => {
      const { api } = fixture();
      const merchantId = await expiringMerchant(fixture());
      const { code, giftCardId, expiresOn } = await give(merchantId);
      await expectData(redeem(fixture(), code, 5, { merchantId }), 201);
      await moveToEnd(fixture(), expiresOn, -1);
      expect(await expectData(balance(merchantId, code))).toMatchObject({ status: 'active', balance: 15, expiresOn });
      await moveToEnd(fixture(), expiresOn, 1);
      expect(await expectData(balance(merchantId, code))).toMatchObject({ status: 'expired', balance: 0, expiresOn });
      expect(await getGiftCard(fixture(), giftCardId)).toMatchObject({ status: 'expired', balance: 0, expiredAmount: 15 });
      expect(await ledgerOf(fixture(), merchantId)).toEqual({ owed: 0, expired: 15 });
      const refused = await expectError(redeem(fixture(), code, 1, { merchantId }), 409, 'RESOURCE_CONFLICT');
      expect(refused.details).toMatchObject({ reason: 'gift_card_expired' });
      expect(await findEvent(fixture(), 'gift_card.expired', ({ data }) => data.giftCardId === giftCardId)).toMatchObject({
        data: { changeAmount: -15, balance: 0, status: 'expired', expiresOn },
      });
      const day = addDays(expiresOn, 1);
      const journal = await api.admin.get(`/reporting/journal?merchantId=${merchantId}&startDate=${day}&endDate=${day}&format=hledger`);
      expect(journal.text).toMatch(/Liabilities:Gift-Cards +15\.00[\s\S]*Income:Expired-Gift-Cards +-15\.00/);
      const { ledger, cards } = await liabilityOf(fixture());
      expect(ledger).toBe(cards);
    });

    test('ends with a shorter month, in the time zone of the merchant, and follows a merchant that moves', inFull, async () => {
      const { api } = fixture();
      const merchantId = await expiringMerchant(fixture(), 'Asia/Tokyo');
      const year = new Date(await nowOf(fixture())).getUTCFullYear() + 1;
      // In Tokyo it is January 31.
      await moveTo(fixture(), `${year}-01-30T20:00:00Z`);
      const { giftCardId, expiresOn } = await give(merchantId);
      const february = new Date(Date.UTC(year, 2, 0)).toISOString().slice(0, 10);
      expect(expiresOn).toBe(february);
      await moveTo(fixture(), `${february}T14:59:59Z`);
      expect(await getGiftCard(fixture(), giftCardId)).toMatchObject({ status: 'active' });
      await expectData(api.admin.put(`/merchants/${merchantId}`, { timezone: 'UTC' }));
      await moveTo(fixture(), `${february}T15:00:01Z`);
      expect(await getGiftCard(fixture(), giftCardId)).toMatchObject({ status: 'active' });
      await moveToEnd(fixture(), february, 1);
      expect(await getGiftCard(fixture(), giftCardId)).toMatchObject({ status: 'expired' });
    });

    test('begins again with each amount that is put on the card, and never comes forward', inFull, async () => {
      const { api } = fixture();
      const merchantId = await expiringMerchant(fixture());
      const { giftCardId, code, expiresOn } = await give(merchantId);
      await moveTo(fixture(), (await nowOf(fixture())) + 10 * DAY_MS);
      const { tenderId } = await expectData(redeem(fixture(), code, 5, { merchantId }), 201);
      expect((await getGiftCard(fixture(), giftCardId)).expiresOn).toBe(expiresOn);
      await expectData(refundTender(fixture(), tenderId, { amount: 5 }), 201);
      const later = (await getGiftCard(fixture(), giftCardId)).expiresOn ?? '';
      expect(later > expiresOn).toBe(true);
      await expectData(extend(fixture(), giftCardId, addDays(later, 400)));
      await expectData(api.admin.post(`/gift-cards/${giftCardId}/reload`, { amount: 5, reason: 'Late delivery' }));
      expect((await getGiftCard(fixture(), giftCardId)).expiresOn).toBe(addDays(later, 400));
    });

    test('loses no money of a refund to an expired card, which pays again', inFull, async () => {
      const merchantId = await expiringMerchant(fixture());
      const { giftCardId, code, expiresOn } = await give(merchantId);
      const { tenderId } = await expectData(redeem(fixture(), code, 12, { merchantId }), 201);
      await moveToEnd(fixture(), expiresOn, 1);
      await expectData(refundTender(fixture(), tenderId, { amount: 12 }), 201);
      const card = await getGiftCard(fixture(), giftCardId);
      expect(card).toMatchObject({ status: 'active', balance: 12, expiredAmount: 8 });
      expect((card.expiresOn ?? '') > expiresOn).toBe(true);
      await expectData(redeem(fixture(), code, 12, { merchantId }), 201);
      expect(await ledgerOf(fixture(), merchantId)).toEqual({ owed: 0, expired: 8 });
    });

    test('refuses the refund of a sale whose card has expired until it is reinstated', inFull, async () => {
      const merchantId = await expiringMerchant(fixture());
      const { giftCardId, tenderId, orderId } = await sellGiftCard(fixture(), 30, { merchantId });
      const { expiresOn } = await getGiftCard(fixture(), giftCardId);
      await moveToEnd(fixture(), expiresOn ?? '', 1);
      const refused = await expectError(refundTender(fixture(), tenderId, { amount: 30 }), 422, 'NOT_REFUNDABLE');
      expect(refused.details).toMatchObject({ reason: 'gift_card_expired', giftCardIds: [giftCardId] });
      await expectData(extend(fixture(), giftCardId, null));
      await expectData(refundTender(fixture(), tenderId, { amount: 30 }), 201);
      expect(await getOrder(fixture(), orderId)).toMatchObject({ giftCards: [{ loadedAmount: 0 }] });
      expect(await ledgerOf(fixture(), merchantId)).toEqual({ owed: 0, expired: 0 });
    });

    test('takes no later amount off a card for the sale of its expired balance', async () => {
      const { api } = fixture();
      const merchantId = await expiringMerchant(fixture());
      const { giftCardId, tenderId } = await sellGiftCard(fixture(), 30, { merchantId });
      const charged = await orderGiftCard(fixture(), 50, { merchantId });
      const { transactionId } = await expectData(
        api.admin.post<TransactionRecord>('/transactions', { ...cardBody(50, CARDS.visa), orderId: charged.orderId, merchantId }),
      );
      await moveToEnd(fixture(), (await getGiftCard(fixture(), charged.giftCardId)).expiresOn ?? '', 1);
      // A later sale puts its own amount on each card.
      const reload = (id: string) => sellGiftCard(fixture(), 20, { merchantId, giftCards: [{ amount: 20, giftCardId: id }] });
      const later = await reload(giftCardId);
      await reload(charged.giftCardId);
      for (const amount of [20, 30]) {
        const refused = await expectError(refundTender(fixture(), tenderId, { amount }), 422, 'NOT_REFUNDABLE');
        expect(refused.details).toMatchObject({ reason: 'gift_card_expired', giftCardIds: [giftCardId] });
      }
      expect(await getGiftCard(fixture(), giftCardId)).toMatchObject({ status: 'active', balance: 20, expiredAmount: 30 });
      // The loads of a replaced card are those of the new one.
      const next = await expectData(api.admin.post<GiftCardRecord>(`/gift-cards/${giftCardId}/replace`, {}), 201);
      await expectError(refundTender(fixture(), tenderId, { amount: 20 }), 422, 'NOT_REFUNDABLE');
      await expectData(refundTender(fixture(), later.tenderId, { amount: 5 }), 201);
      expect(await getGiftCard(fixture(), next.giftCardId)).toMatchObject({ status: 'active', balance: 15, expiredAmount: 30 });
      await expectData(extend(fixture(), next.giftCardId, null));
      await expectData(refundTender(fixture(), tenderId, { amount: 30 }), 201);
      expect(await getGiftCard(fixture(), next.giftCardId)).toMatchObject({ status: 'active', balance: 15, expiredAmount: 0 });

      await expectData(api.admin.post('/disputes', { transactionId }), 201);
      expect(await getGiftCard(fixture(), charged.giftCardId)).toMatchObject({ status: 'active', balance: 20, expiredAmount: 0 });
      expect(await ledgerOf(fixture(), merchantId)).toEqual({ owed: 35, expired: 0 });
    });

    test('decides once between payments and the expiry at the end of the last day', async () => {
      const { api } = fixture();
      const merchantId = await expiringMerchant(fixture());
      const { giftCardId, code, expiresOn } = await give(merchantId, 10);
      await moveToEnd(fixture(), expiresOn, -1);
      const [moved, ...answers] = await Promise.all([
        api.admin.post('/sandbox/clock', { now: new Date(Date.parse(expiresOn) + DAY_MS).toISOString() }),
        ...TEN.map(() => redeem(fixture(), code, 3, { merchantId })),
      ]);
      expect(moved.status).toBe(200);
      const paid = answers.filter(({ status }) => status === 201).length;
      expect(new Set(answers.map(({ status }) => status))).not.toContain(500);
      const card = await getGiftCard(fixture(), giftCardId);
      expect(card).toMatchObject({ status: 'expired', balance: 0, expiredAmount: 10 - 3 * paid });
      expect(kindsOf(card)?.filter(([kind]) => kind === 'expired')).toHaveLength(1);
      expect(await ledgerOf(fixture(), merchantId)).toEqual({ owed: 0, expired: 10 - 3 * paid });
    });

    test('leaves cards alone while they are blocked, and after the merchant has switched expiry off', inFull, async () => {
      const { api } = fixture();
      const merchantId = await expiringMerchant(fixture());
      const [blocked, kept] = [await give(merchantId), await give(merchantId)];
      await expectData(api.admin.post(`/gift-cards/${blocked.giftCardId}/block`, {}));
      await setMonths(fixture(), merchantId, null);
      await moveToEnd(fixture(), kept.expiresOn, 1);
      expect(await getGiftCard(fixture(), kept.giftCardId)).toMatchObject({ status: 'active', balance: 20, expiresOn: null });
      await setMonths(fixture(), merchantId, 1);
      const { giftCardId } = blocked;
      expect(await getGiftCard(fixture(), giftCardId)).toMatchObject({
        status: 'blocked',
        balance: 20,
        actions: { unblock: { allowed: false }, replace: { allowed: false }, extend: { allowed: true } },
      });
      for (const change of ['unblock', 'replace']) {
        const { details } = await expectError(api.admin.post(`/gift-cards/${giftCardId}/${change}`, {}), 409, 'RESOURCE_CONFLICT');
        expect(details).toMatchObject({ reason: 'past_expiry' });
      }
      await expectData(extend(fixture(), giftCardId, addDays(blocked.expiresOn, 60)));
      await expectData(api.admin.post(`/gift-cards/${giftCardId}/unblock`));
      expect(await getGiftCard(fixture(), giftCardId)).toMatchObject({ status: 'active', balance: 20 });
    });

    test('leaves nothing to reinstate after the payment of an expired card was charged back', inFull, async () => {
      const { api } = fixture();
      const merchantId = await expiringMerchant(fixture());
      const { orderId, giftCardId } = await orderGiftCard(fixture(), 50, { merchantId });
      const { transactionId } = await expectData(
        api.admin.post<TransactionRecord>('/transactions', { ...cardBody(50, CARDS.visa), orderId, merchantId }),
      );
      await moveToEnd(fixture(), (await getGiftCard(fixture(), giftCardId)).expiresOn ?? '', 1);
      expect(await getGiftCard(fixture(), giftCardId)).toMatchObject({ status: 'expired', expiredAmount: 50 });
      await expectData(api.admin.post('/disputes', { transactionId }), 201);
      expect(await getGiftCard(fixture(), giftCardId)).toMatchObject({ status: 'expired', balance: 0, expiredAmount: 0 });
      expect(await ledgerOf(fixture(), merchantId)).toEqual({ owed: 0, expired: 0 });
    });

    test('names the balance and the last day in the email with the code', inFull, async () => {
      const { api } = fixture();
      const merchantId = await expiringMerchant(fixture());
      const { code, expiresOn } = await give(merchantId);
      const email = { code, email: 'ida@friends.example', merchantId };
      const { messageId } = await expectData(api.admin.post<{ messageId: string }>('/gift-cards/email', email));
      const { body } = await expectData(api.admin.get<{ body: string }>(`/notifications/messages/${messageId}`));
      expect(body).toContain('has a balance of 20.00 USD and the code');
      expect(body).toContain(`You can use it until ${formatDay(expiresOn, 'en')}.`);
    });

    test('is shown, inquired and emailed after the last day, before the job has run', inFull, async () => {
      const { api } = fixture();
      const merchantId = await expiringMerchant(fixture(), 'Pacific/Pago_Pago');
      const { giftCardId, code, expiresOn } = await give(merchantId);
      await moveToEnd(fixture(), expiresOn, 1);
      expect(await expectData(balance(merchantId, code))).toMatchObject({ status: 'active', balance: 20 });
      // The job is due at the end of the day of the former time zone.
      await expectData(api.admin.put(`/merchants/${merchantId}`, { timezone: 'UTC' }));
      expect(await expectData(balance(merchantId, code))).toMatchObject({ status: 'expired', balance: 0 });
      expect(await getGiftCard(fixture(), giftCardId)).toMatchObject({
        status: 'expired',
        balance: 20,
        actions: { block: { allowed: false }, replace: { allowed: false }, extend: { allowed: true } },
      });
      expect(await expectData(api.admin.get(`/gift-cards?merchantId=${merchantId}`))).toMatchObject([{ status: 'expired' }]);
      const email = { code, email: 'ida@friends.example', merchantId };
      for (const [path, body] of [
        ['/gift-cards/email', email],
        [`/gift-cards/${giftCardId}/block`, {}],
        ['/tenders', { kind: 'gift_card', giftCardCode: code, amount: 5, merchantId }],
      ] as const) {
        const { details } = await expectError(api.admin.post(path, body), 409, 'RESOURCE_CONFLICT');
        expect(details).toMatchObject({ reason: 'gift_card_expired' });
      }
      await expectData(extend(fixture(), giftCardId, null));
      expect(await expectData(balance(merchantId, code))).toMatchObject({ status: 'active', balance: 20 });
    });

    test('follows a card that is replaced', inFull, async () => {
      const { api } = fixture();
      const merchantId = await expiringMerchant(fixture());
      const { giftCardId, expiresOn } = await give(merchantId);
      const next = await expectData(api.admin.post<GiftCardRecord>(`/gift-cards/${giftCardId}/replace`, {}), 201);
      expect(next).toMatchObject({ balance: 20, expiresOn });
      await moveToEnd(fixture(), expiresOn, 1);
      expect(await getGiftCard(fixture(), giftCardId)).toMatchObject({ status: 'replaced', expiredAmount: 0 });
      expect(await getGiftCard(fixture(), next.giftCardId)).toMatchObject({ status: 'expired', expiredAmount: 20 });
    });

    describe('extend', () => {
      test('reinstates an expired balance once, by ten requests at the same time', async () => {
        const merchantId = await expiringMerchant(fixture());
        const { giftCardId, code, expiresOn } = await give(merchantId);
        await moveToEnd(fixture(), expiresOn, 1);
        await expectError(extend(fixture(), giftCardId, expiresOn), 400, 'VALIDATION_ERROR', 'expiresOn');
        const until = addDays(expiresOn, 90);
        const answers = await Promise.all(TEN.map(() => extend(fixture(), giftCardId, until)));
        expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
        const card = await getGiftCard(fixture(), giftCardId);
        expect(card).toMatchObject({ status: 'active', balance: 20, expiredAmount: 0, expiresOn: until });
        expect(kindsOf(card)).toEqual([
          ['given', 20],
          ['expired', -20],
          ['reinstated', 20],
        ]);
        expect(await ledgerOf(fixture(), merchantId)).toEqual({ owed: 20, expired: 0 });
        expect(await findEvent(fixture(), 'gift_card.reinstated', ({ data }) => data.giftCardId === giftCardId)).toMatchObject({
          data: { changeAmount: 20, expiresOn: until },
        });
        await expectData(redeem(fixture(), code, 20, { merchantId }), 201);
      });

      test('moves the last day of an active card with a reason, later only', inFull, async () => {
        const { api } = fixture();
        const merchantId = await expiringMerchant(fixture());
        const { giftCardId, expiresOn } = await give(merchantId);
        for (const reason of [undefined, ' ']) {
          const body = { expiresOn: addDays(expiresOn, 1), reason };
          await expectError(api.admin.post(`/gift-cards/${giftCardId}/extend`, body), 400, 'REQUIRED_FIELD_MISSING', 'reason');
        }
        await expectError(extend(fixture(), giftCardId, addDays(expiresOn, -1)), 400, 'VALIDATION_ERROR', 'expiresOn');
        await expectError(extend(fixture(), giftCardId, '2026-02-30'), 400, 'INVALID_DATE');
        const key = { 'Idempotency-Key': randomUUID() };
        const answers = await Promise.all(TEN.map(() => extend(fixture(), giftCardId, addDays(expiresOn, 30), key)));
        expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
        expect(await findEvent(fixture(), 'gift_card.extended', ({ data }) => data.giftCardId === giftCardId)).toMatchObject({
          data: { changeAmount: 0, balance: 20, expiresOn: addDays(expiresOn, 30) },
        });
        const before = await nowOf(fixture());
        await moveTo(fixture(), Math.max(before, Date.parse(expiresOn) + 2 * DAY_MS));
        expect(await getGiftCard(fixture(), giftCardId)).toMatchObject({ status: 'active', balance: 20 });
      });

      test('is refused to cashiers and to managers of other merchants, and counts with the gifts of the day', inFull, async () => {
        const merchantId = await expiringMerchant(fixture());
        await setRules(fixture(), { refundAbove: 50, currency: 'USD', approversExempt: false }, merchantId);
        const { giftCardId, expiresOn } = await give(merchantId, 30);
        await moveToEnd(fixture(), expiresOn, 1);
        const body = { expiresOn: addDays(expiresOn, 90), reason: 'Mine' };
        const people = [
          await createPerson(fixture(), 'cashier', merchantId),
          await createPerson(fixture(), 'manager', await createMerchant(fixture())),
        ];
        for (const { as } of people) expect((await as.post(`/gift-cards/${giftCardId}/extend`, body)).status).toBe(403);
        await give(merchantId, 30);
        await expectData(extend(fixture(), giftCardId, body.expiresOn), 202);
        expect(await getGiftCard(fixture(), giftCardId)).toMatchObject({ status: 'expired', expiredAmount: 30 });
      });
    });
  },
  'empty',
);
