import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { isPublicHoliday } from '#shared/holidays';
import { createCustomer } from '../../support/customers.ts';
import { cardPaymentBody, createInvoice, type InvoiceRecord, payInvoice } from '../../support/invoices.ts';
import { CARDS } from '../../support/sales.ts';
import { ANY_DATABASE, type ApiFixture, DATABASES, describeOnSmallData, expectData, expectError, FULL } from '../../support/server.ts';
import { settleOnRequest } from '../../support/settlements.ts';
import { createUser } from '../../support/users.ts';
import { findEvent } from '../../support/webhooks.ts';
import type { MessageRecord } from '../notifications/outbox.ts';

interface Reminders {
  state: string;
  next: { days: number; at: string; channel: string } | null;
  sent: { days: number; channel: string; to: string; at: string; messageId: string; status: string }[];
}
interface Preview {
  life: {
    days: number;
    day: string;
    at: string;
    channel: string;
    texts: { language: string; subject: string | null; message: string }[];
  }[];
  dueDate: string;
  first: { number: string; next: { days: number; at: string } }[];
  firstCount: number;
}
type PromisedInvoice = InvoiceRecord & {
  promise: { date: string; by: string; recordedBy: string } | null;
  remindersStopped: { reason: string; by: string } | null;
};

const ZONE = 'America/New_York';
const DAY_MS = 86_400_000;

const nowOf = async ({ api }: ApiFixture) => Date.parse((await expectData(api.admin.get<{ now: string }>('/sandbox/clock'))).now);
const moveTo = ({ api }: ApiFixture, now: string) => expectData(api.admin.post('/sandbox/clock', { now }));
const dayIn = (zone: string, atMs: number) => new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' }).format(atMs);
const addDays = (day: string, days: number) => new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
const remindersOf = ({ api }: ApiFixture, id: string) => expectData(api.admin.get<Reminders>(`/invoices/${id}/reminders`));
const textOf = async ({ api }: ApiFixture, id: string) => expectData(api.admin.get<MessageRecord>(`/notifications/messages/${id}`));
const step = (days: number, more: object = {}) => ({ days, channel: 'email', texts: {}, ...more });

/** Creates a merchant that sends reminders every day at nine. */
async function createMerchant(service: ApiFixture, settings: object = {}, timezone = ZONE): Promise<string> {
  const body = { name: `Reminding ${randomUUID().slice(0, 8)}`, timezone };
  const { merchantId } = await expectData(service.api.admin.post<{ merchantId: string }>('/merchants', body), 201);
  // Each day of each merchant would be settled while the clock moves over weeks.
  await settleOnRequest(service, merchantId);
  await setReminders(service, merchantId, { enabled: true, steps: [step(0), step(7)], weekdays: [0, 1, 2, 3, 4, 5, 6], ...settings });
  return merchantId;
}

const setReminders = ({ api }: ApiFixture, merchantId: string, settings: object) =>
  expectData(api.admin.put<{ enabled: boolean; steps: object[] }>(`/merchants/${merchantId}/reminder-settings`, settings));

/** Sends an invoice that is due in some days. */
async function sendInvoice(service: ApiFixture, merchantId: string, dueInDays: number, customer: object = {}, zone = ZONE) {
  const { customerId } = await createCustomer(service, { merchantId, ...customer });
  const dueDate = addDays(dayIn(zone, await nowOf(service)), dueInDays);
  const { invoiceId } = await createInvoice(service, customerId, { dueDate, allowPartial: true });
  await expectData(service.api.admin.post(`/invoices/${invoiceId}/send`, {}));
  return { invoiceId, customerId, dueDate };
}

/** Moves the clock over the time of reminders of a day, twice, as if the day came again. */
async function passDay(service: ApiFixture, day: string): Promise<void> {
  await moveTo(service, `${day}T23:30:00Z`);
}

describeOnSmallData('reminders of unpaid invoices', DATABASES, (fixture, inFull) => {
  test('are off by default, and switching them on is previewed', inFull, async () => {
    const service = fixture();
    const { api } = service;
    const merchantId = await createMerchant(service, { enabled: false, steps: [step(-3), step(0), step(7)] });
    const { invoiceId, dueDate } = await sendInvoice(service, merchantId, 2);
    expect(await remindersOf(service, invoiceId)).toMatchObject({ state: 'off', next: null, sent: [] });
    const path = `/merchants/${merchantId}/reminder-settings`;
    const preview = await expectData(api.admin.post<Preview>(`${path}/dry-run?dueInDays=10`, { enabled: true }));
    expect(preview.life.map(({ days, day }) => [days, day])).toEqual([-3, 0, 7].map((days) => [days, addDays(preview.dueDate, days)]));
    expect(preview.life[2]?.texts.map(({ language, subject }) => [language, subject])).toEqual([
      ['en', 'Invoice INV-000042 is overdue'],
      ['es', 'La factura INV-000042 está vencida'],
    ]);
    // Messages are previewed as they are sent, with a link; a text message in one line.
    expect(preview.life[0]?.texts[0]?.message).toMatch(/\n\nView and pay online:\nhttp:\/\/\S+\/pay\/\w{8}$/);
    const byText = step(1, { channel: 'sms', texts: { en: { subject: null, message: 'First line.\nSecond line.' } } });
    const { life } = await expectData(api.admin.post<Preview>(`${path}/dry-run`, { enabled: true, steps: [byText] }));
    expect(life[0]?.texts[0]?.message).toMatch(/^First line\. Second line\. http:\/\/\S+\/s\/\w{8}$/);
    expect(preview.first).toMatchObject([{ number: 'INV-000001', next: { days: 0 } }]);
    expect(dayIn(ZONE, Date.parse(preview.first[0]?.next.at ?? ''))).toBe(dueDate);
    expect(await expectData(api.admin.get(path))).toMatchObject({ enabled: false });
    await passDay(service, dueDate);
    expect((await remindersOf(service, invoiceId)).sent).toEqual([]);
  });

  test('are sent once each in the language of the customer, appear in the timeline, and publish an event', async () => {
    const service = fixture();
    const { api } = service;
    const texts = { es: { subject: null, message: 'Hola {{customer}}: {{amount}}, {{number}}, {{dueDate}}.' } };
    const merchantId = await createMerchant(service, { steps: [step(1, { texts }), step(2, { channel: 'sms' })] });
    const { invoiceId, customerId, dueDate } = await sendInvoice(service, merchantId, 1, {
      firstName: 'Inés',
      lastName: 'Brandt',
      phone: '+12075550142',
    });
    await expectData(api.admin.put(`/customers/${customerId}/reminders`, { language: 'es' }));
    const { next } = await remindersOf(service, invoiceId);
    expect(next).toMatchObject({ days: 1, channel: 'email' });
    expect(new Date(next?.at ?? '').toLocaleTimeString('en-GB', { timeZone: ZONE })).toBe('09:00:00');
    await passDay(service, addDays(dueDate, 2));
    await passDay(service, addDays(dueDate, 5));
    const { sent, state } = await remindersOf(service, invoiceId);
    expect(state).toBe('done');
    expect(sent).toMatchObject([
      { days: 1, channel: 'email', at: next?.at },
      { days: 2, channel: 'sms', to: '+12075550142' },
    ]);
    const [first, second] = await Promise.all(sent.map(({ messageId }) => textOf(service, messageId)));
    expect(first).toMatchObject({
      subject: 'La factura INV-000001 está vencida',
      resourceId: invoiceId,
      attachment: `invoice:${invoiceId}`,
    });
    expect(first?.body).toContain('Hola Inés Brandt: 100.00 USD, INV-000001,');
    expect(second?.body).toMatch(/^Recordatorio de .* venció el .* http.*\/s\/\w+$/);
    const event = await findEvent(service, 'invoice.reminder_sent', ({ data }) => data.invoiceId === invoiceId && data.days === 1);
    expect(event.data).toMatchObject({
      number: 'INV-000001',
      amountDue: 100,
      channel: 'email',
      messageId: sent[0]?.messageId,
      status: 'overdue',
    });
  });

  test('can be ended before the invoice is sent, but not promised', inFull, async () => {
    const service = fixture();
    const { api } = service;
    const merchantId = await createMerchant(service, { steps: [step(1)] });
    const { customerId } = await createCustomer(service, { merchantId });
    const dueDate = addDays(dayIn(ZONE, await nowOf(service)), 1);
    const { invoiceId } = await createInvoice(service, customerId, { dueDate });
    await expectData(api.admin.post(`/invoices/${invoiceId}/reminders/stop`, {}));
    await expectError(api.admin.put(`/invoices/${invoiceId}/promise`, { date: dueDate, by: 'Ann' }), 409, 'RESOURCE_CONFLICT');
    expect((await remindersOf(service, invoiceId)).state).toBe('stopped');
    await expectData(api.admin.post(`/invoices/${invoiceId}/send`, {}));
    await passDay(service, addDays(dueDate, 1));
    expect(await remindersOf(service, invoiceId)).toMatchObject({ state: 'stopped', sent: [] });
  });

  test('end with a payment, a part of it, a dispute, a promise, by hand, and for a customer who wants none', inFull, async () => {
    const service = fixture();
    const { api } = service;
    const merchantId = await createMerchant(service, { steps: [step(1)] });
    const names = [
      'paid',
      'part',
      'card',
      'promised',
      'disputed',
      'byHand',
      'resumed',
      'customer',
      'deleted',
      'canceled',
      'reminded',
    ] as const;
    const made = Object.fromEntries(
      await Promise.all(names.map(async (name) => [name, await sendInvoice(service, merchantId, 1)] as const)),
    ) as Record<(typeof names)[number], Awaited<ReturnType<typeof sendInvoice>>>;
    const id = (name: (typeof names)[number]) => made[name].invoiceId;
    const { dueDate } = made.paid;
    await expectData(payInvoice(service, id('paid')));
    await expectData(payInvoice(service, id('part'), { amount: 40 }));
    const charged = await expectData(payInvoice(service, id('card'), cardPaymentBody(CARDS.visa, { amount: 30 })));
    await expectData(api.admin.post(`/invoices/${id('card')}/reminders/resume`, {}));
    await expectData(
      api.admin.post('/disputes', { transactionId: charged.payments[0]?.transactionId, dueDate: addDays(dueDate, 20) }),
      201,
    );
    const promised = { date: addDays(dueDate, 3), by: 'Ann Marsh' };
    await expectData(api.admin.put(`/invoices/${id('promised')}/promise`, promised));
    await expectData(api.admin.post(`/invoices/${id('disputed')}/reminders/stop`, { reason: 'dispute' }));
    await expectData(api.admin.post(`/invoices/${id('byHand')}/reminders/stop`, {}));
    await expectData(api.admin.post(`/invoices/${id('resumed')}/reminders/stop`, {}));
    await expectData(api.admin.post(`/invoices/${id('resumed')}/reminders/resume`, {}));
    await expectData(api.admin.put(`/customers/${made.customer.customerId}/reminders`, { enabled: false }));
    await expectData(api.admin.delete(`/customers/${made.deleted.customerId}`));
    await expectData(api.admin.post(`/invoices/${id('canceled')}/cancel`, {}));
    const states = async () =>
      Object.fromEntries(await Promise.all(names.map(async (name) => [name, (await remindersOf(service, id(name))).state] as const)));
    expect(await states()).toEqual({
      paid: 'done',
      part: 'stopped',
      card: 'stopped',
      promised: 'promised',
      disputed: 'stopped',
      byHand: 'stopped',
      resumed: 'scheduled',
      customer: 'customer_off',
      deleted: 'stopped',
      canceled: 'done',
      reminded: 'scheduled',
    });
    await passDay(service, addDays(dueDate, 2));
    const sent = await Promise.all(names.map(async (name) => [name, (await remindersOf(service, id(name))).sent.length] as const));
    expect(sent.filter(([, count]) => count > 0)).toEqual([
      ['resumed', 1],
      ['reminded', 1],
    ]);
    const reasonOf = async (name: (typeof names)[number]) =>
      (await expectData(api.admin.get<PromisedInvoice>(`/invoices/${id(name)}`))).remindersStopped?.reason;
    expect(await Promise.all((['part', 'card', 'disputed', 'byHand', 'deleted', 'reminded'] as const).map(reasonOf))).toEqual([
      'payment',
      'dispute',
      'dispute',
      'manual',
      'customer_deleted',
      undefined,
    ]);
    // The list of what to do has the promise on its day, and overdue invoices without one for a later day.
    const toDo = async () =>
      (await expectData(api.admin.get<InvoiceRecord[]>(`/invoices?view=to_do&merchantId=${merchantId}&limit=200`))).map(
        ({ invoiceId }) => invoiceId,
      );
    expect(await toDo()).not.toContain(id('promised'));
    expect(await toDo()).not.toContain(id('paid'));
    expect(await toDo()).toContain(id('byHand'));
    await passDay(service, promised.date);
    expect(await toDo()).toContain(id('promised'));
    const invoice = await expectData(api.admin.get<PromisedInvoice>(`/invoices/${id('promised')}`));
    expect(invoice.promise).toMatchObject({ ...promised, recordedBy: service.credentials.adminEmail });
    const event = await findEvent(service, 'invoice.promised', ({ data }) => data.invoiceId === id('promised'));
    expect(event.data).toMatchObject({ promisedDate: promised.date, promisedBy: 'Ann Marsh', amountDue: 100 });
    expect((await expectData(api.admin.delete<PromisedInvoice>(`/invoices/${id('promised')}/promise`))).promise).toBeNull();
  });

  test('are not sent on a public holiday of the country of the merchant', inFull, async () => {
    const service = fixture();
    const merchantId = await createMerchant(service, { steps: [step(0)], weekdays: [1, 2, 3, 4, 5] });
    const elsewhere = await createMerchant(service, { steps: [step(0)], weekdays: [1, 2, 3, 4, 5] });
    await expectData(service.api.admin.put(`/merchants/${elsewhere}`, { country: 'JP' }));
    const today = dayIn(ZONE, await nowOf(service));
    const isWorkingDay = (day: string) => new Date(day).getUTCDay() % 6 !== 0;
    const dueIn = Array.from({ length: 120 }, (_, nth) => nth + 3).find((days) => {
      const day = addDays(today, days);
      return isPublicHoliday('US', day) && isWorkingDay(day) && isWorkingDay(addDays(day, 1));
    });
    const [{ invoiceId, dueDate }, other] = [
      await sendInvoice(service, merchantId, dueIn ?? 0),
      await sendInvoice(service, elsewhere, dueIn ?? 0),
    ];
    const daysOf = async (id: string) => (await remindersOf(service, id)).sent.map(({ at }) => dayIn(ZONE, Date.parse(at)));
    expect(dayIn(ZONE, Date.parse((await remindersOf(service, invoiceId)).next?.at ?? ''))).toBe(addDays(dueDate, 1));
    await passDay(service, dueDate);
    expect([await daysOf(invoiceId), await daysOf(other.invoiceId)]).toEqual([[], [dueDate]]);
    await passDay(service, addDays(dueDate, 1));
    expect(await daysOf(invoiceId)).toEqual([addDays(dueDate, 1)]);
  });

  test('follow a changed time zone and stop at once when they are switched off', inFull, async () => {
    const service = fixture();
    const { api } = service;
    const merchantId = await createMerchant(service, { steps: [step(1), step(2), step(3)] }, 'Pacific/Auckland');
    const { invoiceId, dueDate } = await sendInvoice(service, merchantId, 2, {}, 'Pacific/Auckland');
    // Nine on that day in Auckland; then the merchant moves, and the day begins again 20 hours later.
    await moveTo(service, new Date(Date.parse((await remindersOf(service, invoiceId)).next?.at ?? '') + 60_000).toISOString());
    expect((await remindersOf(service, invoiceId)).sent.map(({ days }) => days)).toEqual([1]);
    await expectData(api.admin.put(`/merchants/${merchantId}`, { timezone: 'Pacific/Honolulu' }));
    const { next } = await remindersOf(service, invoiceId);
    expect(next?.days).toBe(2);
    expect(new Date(next?.at ?? '').toLocaleTimeString('en-GB', { timeZone: 'Pacific/Honolulu' })).toBe('09:00:00');
    await moveTo(service, new Date(Date.parse(next?.at ?? '') + 60_000).toISOString());
    expect((await remindersOf(service, invoiceId)).sent.map(({ days }) => days)).toEqual([1, 2]);
    await setReminders(service, merchantId, { enabled: false });
    expect(await remindersOf(service, invoiceId)).toMatchObject({ state: 'off', next: null });
    await moveTo(service, `${addDays(dueDate, 6)}T23:30:00Z`);
    expect((await remindersOf(service, invoiceId)).sent).toHaveLength(2);
    // Switched on again, reminders of days that have passed are not sent.
    await setReminders(service, merchantId, { enabled: true });
    expect(await remindersOf(service, invoiceId)).toMatchObject({ state: 'done', next: null });
  });

  test('skip those that were missed while they were stopped, promised or not wanted', inFull, async () => {
    const service = fixture();
    const { api } = service;
    const merchantId = await createMerchant(service, { steps: [step(1), step(6)] });
    const [stopped, promised, unwanted] = [
      await sendInvoice(service, merchantId, 1),
      await sendInvoice(service, merchantId, 1),
      await sendInvoice(service, merchantId, 1),
    ];
    const { dueDate } = stopped;
    await expectData(api.admin.post(`/invoices/${stopped.invoiceId}/reminders/stop`, {}));
    await expectData(api.admin.put(`/invoices/${promised.invoiceId}/promise`, { date: addDays(dueDate, 30), by: 'Ann' }));
    await expectData(api.admin.put(`/customers/${unwanted.customerId}/reminders`, { enabled: false }));
    await passDay(service, addDays(dueDate, 3));
    await expectData(api.admin.post(`/invoices/${stopped.invoiceId}/reminders/resume`, {}));
    await expectData(api.admin.delete(`/invoices/${promised.invoiceId}/promise`));
    await expectData(api.admin.put(`/customers/${unwanted.customerId}/reminders`, { enabled: true }));
    const all = () => Promise.all([stopped, promised, unwanted].map(({ invoiceId }) => remindersOf(service, invoiceId)));
    for (const { next } of await all()) expect(next?.days).toBe(6);
    await passDay(service, addDays(dueDate, 8));
    for (const { sent } of await all()) expect(sent.map(({ days }) => days)).toEqual([6]);
  });

  test('send a destination three in a day and leave the others for the next days', inFull, async () => {
    const service = fixture();
    const merchantId = await createMerchant(service, { steps: [step(1)] });
    const made: Awaited<ReturnType<typeof sendInvoice>>[] = [];
    // Tags lead to the same mailbox.
    for (const email of [
      'flood@payer.example',
      'flood+1@payer.example',
      'Flood+2@payer.example',
      'flood+3@payer.example',
      'flood@payer.example',
    ])
      made.push(await sendInvoice(service, merchantId, 1, { email }));
    const { dueDate } = made[0] ?? { dueDate: '' };
    const days = async () => {
      const sent = (await Promise.all(made.map(({ invoiceId }) => remindersOf(service, invoiceId)))).flatMap((each) => each.sent);
      return sent.map(({ at }) => dayIn(ZONE, Date.parse(at))).toSorted();
    };
    const [first, second] = [addDays(dueDate, 1), addDays(dueDate, 2)];
    await passDay(service, first);
    expect(await days()).toEqual([first, first, first]);
    await passDay(service, second);
    expect(await days()).toEqual([first, first, first, second, second]);
  });

  test('refuses settings and promises that cannot be kept', inFull, async () => {
    const service = fixture();
    const { api } = service;
    const merchantId = await createMerchant(service);
    const { invoiceId, dueDate } = await sendInvoice(service, merchantId, 1);
    const path = `/merchants/${merchantId}/reminder-settings`;
    const refused = (body: object) => expectError(api.admin.put(path, body), 400, 'VALIDATION_ERROR');
    await refused({ steps: [step(1), step(1)] });
    await refused({ steps: [] });
    const long = { es: { subject: null, message: `${'Hola. '.repeat(91)}{{customer}}` } };
    await expectData(api.admin.put(path, { steps: [step(1, { texts: long })] }));
    const { message } = await refused({ steps: [step(1), step(4, { channel: 'sms', texts: long })] });
    expect(message).toBe(
      'The text message of the reminder with `days` 4 in `es` can have 606 characters with its placeholders filled in. Shorten it to at most 600.',
    );
    await refused({ steps: [step(1, { texts: { en: { subject: null, message: 'Pay {{iban}}' } } })] });
    await refused({ sendAt: '03:00' });
    await refused({ weekdays: [7] });
    await refused({ steps: Array.from({ length: 13 }, (_, days) => step(days)) });
    const promise = (body: object) => api.admin.put(`/invoices/${invoiceId}/promise`, body);
    await expectError(promise({ date: '2026-02-30', by: 'Ann' }), 400, 'INVALID_DATE');
    await expectError(promise({ date: '2020-01-01', by: 'Ann' }), 400, 'VALIDATION_ERROR');
    await expectError(promise({ date: addDays(dueDate, 400), by: 'Ann' }), 400, 'VALIDATION_ERROR');
    await expectError(promise({ date: dueDate, by: ' ' }), 400, 'VALIDATION_ERROR');
    await expectData(payInvoice(service, invoiceId));
    await expectError(promise({ date: dueDate, by: 'Ann' }), 409, 'RESOURCE_CONFLICT');
  });

  test('are closed to cashiers, to other merchants and to keys without their permission', inFull, async () => {
    const service = fixture();
    const { api, credentials } = service;
    const merchantId = await createMerchant(service);
    const { invoiceId, customerId, dueDate } = await sendInvoice(service, merchantId, 1);
    const cashier = await createUser(service, 'cashier', {}, merchantId);
    const stranger = await createUser(service, 'manager', {}, credentials.merchantId);
    const key = await expectData(
      api.admin.post<{ key: string }>('/api-keys', {
        name: 'leaked',
        scope: 'merchant',
        merchantId,
        permissions: ['invoices:read'],
        currentPassword: api.adminPassword,
      }),
      201,
    );
    const leaked = { 'X-Tenant-ID': credentials.tenantId, 'x-api-key': key.key };
    const base = '/api/v1';
    const attempts = (headers: Record<string, string>) => [
      api.bare.put(`${base}/merchants/${merchantId}/reminder-settings`, { enabled: false }, headers),
      api.bare.put(`${base}/invoices/${invoiceId}/promise`, { date: dueDate, by: 'Me' }, headers),
      api.bare.post(`${base}/invoices/${invoiceId}/reminders/stop`, {}, headers),
      api.bare.post(`${base}/invoices/${invoiceId}/reminders/resume`, {}, headers),
    ];
    for (const headers of [cashier.headers, stranger.headers, leaked])
      for (const answer of await Promise.all(attempts(headers))) expect(answer.status).toBeGreaterThanOrEqual(401);
    // A cashier changes customers, but ends no reminders.
    const choice = api.bare.put(`${base}/customers/${customerId}/reminders`, { enabled: false }, cashier.headers);
    expect((await choice).status).toBe(403);
    const foreign = [
      api.bare.get(`${base}/invoices/${invoiceId}/reminders`, stranger.headers),
      api.bare.put(`${base}/customers/${customerId}/reminders`, { enabled: false }, stranger.headers),
      api.bare.post(`${base}/merchants/${merchantId}/reminder-settings/dry-run`, {}, stranger.headers),
    ];
    for (const answer of await Promise.all(foreign)) expect(answer.status).toBe(403);
    expect(await remindersOf(service, invoiceId)).toMatchObject({ state: 'scheduled' });
    expect(await expectData(api.admin.get(`/customers/${customerId}/reminders`))).toMatchObject({ enabled: true, language: null });
  });
});

describeOnSmallData('reminders of many invoices', ANY_DATABASE, (fixture) => {
  test('remind every invoice of a day when there are more than one batch', FULL, async () => {
    const service = fixture();
    const merchantId = await createMerchant(service, { steps: [step(1)] });
    const made = await Promise.all(Array.from({ length: 103 }, () => sendInvoice(service, merchantId, 1)));
    await passDay(service, addDays(made[0]?.dueDate ?? '', 1));
    const sent = await Promise.all(made.map(async ({ invoiceId: id }) => (await remindersOf(service, id)).sent.length));
    expect(sent.filter((count) => count === 1)).toHaveLength(103);
  });
});
