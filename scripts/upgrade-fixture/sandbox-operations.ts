import { TOTP } from 'otpauth';
import { FLOWS } from '../../cli/triggers/flows.ts';
import type { TriggerRun } from '../../cli/triggers/trigger-run.ts';
import { CARD_FORM, createInvoicePage, openPage, prefilledFields, submitForm } from '../../test/api/pages/pay-page-client.ts';
import { surfaceOf } from '../../test/support/api-client.ts';
import { createPerson, createShop, setPin, type Waiting } from '../../test/support/approvals.ts';
import { createBankShop, importLines, payOut, sendStatement } from '../../test/support/bank.ts';
import { CSV_MAPPING, csv } from '../../test/support/bank-files.ts';
import { createCustomerWithCard } from '../../test/support/customers.ts';
import { addItem } from '../../test/support/items.ts';
import { upload } from '../../test/support/reconciliation.ts';
import { CARDS, cardBody, type TransactionRecord } from '../../test/support/sales.ts';
import { type ApiFixture, expectData } from '../../test/support/server.ts';
import { createMerchant, sell, settle } from '../../test/support/settlements.ts';
import { until } from '../../test/support/until.ts';
import type { Receiver } from '../../test/support/webhook-receiver.ts';
import { registerEndpoint } from '../../test/support/webhooks.ts';

/** Settings of a provider that does not exist, so that no text message leaves the sandbox. */
const UNREACHABLE_PROVIDER = {
  accountSid: `AC${'0'.repeat(32)}`,
  authToken: 'not the token of an account',
  from: '+12075550142',
  apiUrl: 'https://sms.invalid',
};
const BROWSER = { 'user-agent': 'Fixture Browser' };
const DEVICE = 'AAAAAAAAAAAAAAAAAAAAAA';
const PIN = '481627';
const DAY_MS = 86_400_000;
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Surroundings of the operations: a server with the demo tenant, a receiver of webhooks and the flows of `paydesk trigger`. */
interface SandboxRun {
  readonly fixture: ApiFixture;
  readonly receiver: Receiver;
  readonly triggers: TriggerRun;
}

/** Runs operations of every capability, so that together they fill nearly every table. */
export async function operateSandbox({ fixture, receiver, triggers }: SandboxRun): Promise<void> {
  const { api } = fixture;
  await registerEndpoint(fixture, receiver.url('/invoices'), ['invoice.paid', 'transaction.declined']);
  for (const flow of Object.values(FLOWS)) await flow(triggers);
  await setUpPeople(fixture);
  await setUpShop(fixture);
  await approveDiscount(fixture);
  await matchBankLines(fixture);
  await disputeSale(fixture);
  await importSettlement(fixture);
  await payOnPage(fixture);
  await catchUp(fixture, receiver);
  await recordSteps(fixture);
  await archiveAndBackUp(fixture);
  // Rows with a short life come last.
  await tokenizeCard(fixture);
  await beginOutage(fixture);
  await expectData(api.admin.put(`/merchants/${fixture.credentials.merchantId}/fraud-settings`, { duplicateWindowSeconds: 60 }));
  await expectData(api.admin.post('/transactions', { ...cardBody(31), type: 'auth' }, { 'Idempotency-Key': 'upgrade-fixture' }));
}

async function setUpPeople(fixture: ApiFixture): Promise<void> {
  const { api, credentials } = fixture;
  const { bare } = api;
  await expectData(api.admin.post('/roles', { name: 'Night desk', permissions: ['transactions:read', 'refunds'] }), 201);
  const manager = await createPerson(fixture, 'manager');
  await setPin(manager, PIN);
  const confirmed = { currentPassword: manager.password };
  const { secret } = await expectData(bare.post<{ secret: string }>('/api/v1/auth/two-factor/totp', confirmed, manager.headers));
  const code = new TOTP({ secret }).generate();
  await expectData(bare.post('/api/v1/auth/two-factor/totp/confirm', { code }, manager.headers));
  const cashier = await createPerson(fixture, 'cashier');
  await expectData(api.admin.post(`/merchants/${credentials.merchantId}/users/${cashier.userId}/invite`));
}

async function setUpShop(fixture: ApiFixture): Promise<void> {
  const { api, credentials } = fixture;
  const { merchantId } = credentials;
  await expectData(api.admin.put('/notifications/channels/sms', { ...UNREACHABLE_PROVIDER, currentPassword: credentials.adminPassword }));
  await addItem(fixture, { merchantId, name: 'Espresso', price: 3, key: 'ES', taxRate: 8 });
  const ranges = new FormData();
  ranges.set('file', new Blob(['bin,type\n401288,credit\n']), 'ranges.csv');
  await expectData(api.admin.post('/card-ranges/import', ranges));
  const { customerId } = await createCustomerWithCard(fixture);
  await expectData(api.admin.post(`/customers/${customerId}/update-link`, {}), 201);
  await expectData(api.admin.post(`/customers/${customerId}/page-links`, {}), 201);
  await expectData(api.admin.post('/customers/transfer-keys', { name: 'From the old provider' }), 201);
  const { transactionId } = await sell(fixture, merchantId, 21, { taxAmount: 1.5 });
  await expectData(api.admin.post('/notifications/receipt/print', { transactionId, format: 'text' }));
}

async function approveDiscount(fixture: ApiFixture): Promise<void> {
  const { merchantId, cashier, manager } = await createShop(fixture, { discountAbovePercent: 10 });
  const discount = { merchantId, price: 50, discountAmount: 10, reason: 'Scratched' };
  const { approvalId } = await expectData(cashier.as.post<Waiting>('/discounts', discount), 202);
  await expectData(manager.as.post(`/approvals/${approvalId}/approve`, {}));
}

/** Pays out two amounts: the line of one is matched, the line of the other has a suggestion. Then closes a month and exports the journal. */
async function matchBankLines(fixture: ApiFixture): Promise<void> {
  const { admin } = fixture.api;
  const shop = await createBankShop(fixture);
  const { merchantId } = shop;
  const payouts = [await payOut(fixture, shop, 40), await payOut(fixture, shop, 41)];
  const lines = await importLines(
    fixture,
    shop,
    payouts.map(({ reference, amount, paidAt }, index) => ({
      day: paidAt.slice(0, 10),
      minor: Math.round(amount * 100),
      text: `ACME DEPOSIT ${reference}`,
      reference: `R${index}`,
    })),
  );
  const [first] = lines;
  const [part] = first?.suggestion?.parts ?? [];
  if (!first || !part?.payout) throw new Error('The line of a payout has a suggestion.');
  const parts = [{ kind: 'payout', payoutId: part.payout.payoutId }];
  await expectData(admin.post(`/settlement/bank-lines/${first.lineId}/match`, { parts }));
  await expectData(admin.post('/settlement/bank-rules', { merchantId, contains: 'ACME FEE', kind: 'fee' }), 201);
  const mapped = { mapping: JSON.stringify(CSV_MAPPING), mappingName: 'House bank' };
  const old = [{ day: dayAt(-400), minor: 700, text: 'OLD DEPOSIT', reference: 'R9' }];
  await expectData(sendStatement(fixture, shop, csv({ account: '9876543210', opening: 0, lines: old }), mapped));
  await expectData(admin.post('/settlement/close', { merchantId, date: dayAt(-800).slice(0, 7) }));
  await expectData(admin.put(`/reporting/journal/accounts?merchantId=${merchantId}`, { sales: { name: 'Card sales', code: '200' } }));
  const { now } = await expectData(admin.get<{ now: string }>('/sandbox/clock'));
  const day = (days: number) => new Date(Date.parse(now) + days * DAY_MS).toISOString().slice(0, 10);
  await expectData(
    admin.post('/reporting/journal/exports', { startDate: day(-1), endDate: day(1), merchantId }, { 'Idempotency-Key': 'journal' }),
    201,
  );
}

const dayAt = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

async function disputeSale(fixture: ApiFixture): Promise<void> {
  const { api, credentials } = fixture;
  const { transactionId } = await sell(fixture, credentials.merchantId, 22);
  const dispute = { transactionId, reasonCode: '10.4' };
  const { disputeId } = await expectData(api.admin.post<{ disputeId: string }>('/disputes', dispute), 201);
  const form = new FormData();
  form.set('item', 'signed_copy');
  form.set('file', new Blob([new Uint8Array(Buffer.from(PNG, 'base64'))]), 'slip.png');
  await expectData(api.public.post(`/disputes/${disputeId}/attachments`, form), 201);
  await expectData(api.admin.post(`/disputes/${disputeId}/evidence`, {}), 201);
}

/** Compares a settled day with a file in which one amount differs. */
async function importSettlement(fixture: ApiFixture): Promise<void> {
  const { admin } = fixture.api;
  const merchantId = await createMerchant(fixture, { timezone: 'UTC' });
  const { transactionId } = await sell(fixture, merchantId, 23);
  const [settlement] = await settle(fixture, merchantId);
  const date = settlement?.settlementDate ?? '';
  const file = `id,amount,date\n${transactionId},24,${date}\n`;
  const { importId } = await expectData(upload(fixture, file, undefined, { merchantId }));
  await expectData(admin.post('/settlement/reconciliation/auto', { date, importId }));
}

async function payOnPage(fixture: ApiFixture): Promise<void> {
  const { path } = await createInvoicePage(fixture);
  const page = await openPage(fixture, path, BROWSER);
  const cookie = (page.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  const { status, text } = await submitForm(fixture, path, { ...prefilledFields(page), ...CARD_FORM }, { ...BROWSER, cookie });
  if (status !== 303) throw new Error(`The invoice was not paid on its page: ${text}`);
}

/** Sends earlier events to a new endpoint. */
async function catchUp(fixture: ApiFixture, receiver: Receiver): Promise<void> {
  const { admin } = fixture.api;
  const [event] = await expectData(admin.get<{ id: string }[]>('/webhooks/events?limit=1'));
  await expectData(admin.post('/transactions', cardBody(25)));
  const endpoint = { url: receiver.url('/catch-up'), events: ['transaction.approved'], catchUp: { fromEventId: event?.id } };
  const { id } = await expectData(admin.post<{ id: string }>('/webhooks', endpoint), 201);
  await until('the catch-up is done', async () => {
    const { state } = await expectData(admin.get<{ state: string }>(`/webhooks/${id}/catch-up`));
    return state !== 'running';
  });
}

async function recordSteps({ api }: ApiFixture): Promise<void> {
  const { id } = await expectData(api.admin.post<{ id: string }>('/sandbox/recordings', { name: 'Sale' }), 201);
  await expectData(api.admin.post('/transactions', cardBody(26)));
  await expectData(api.admin.post(`/sandbox/recordings/${id}/stop`));
}

async function archiveAndBackUp({ api }: ApiFixture): Promise<void> {
  const { admin } = api;
  await expectData(admin.put('/system/archive', { keepYears: 3 }));
  await expectData(admin.post('/system/archive'));
  await until('the archive is made', async () => !(await expectData(admin.get<{ isUnderWay: boolean }>('/system/archive'))).isUnderWay);
  await expectData(admin.post('/system/backup'));
  await until('the backup is made and checked', async () => {
    const [backup] = await expectData(admin.get<{ check: { status: string } }[]>('/system/backups'));
    return backup?.check.status === 'good';
  });
}

/** Stores a card with hosted fields, as the browser of a payer does; the shop has not charged it yet. */
async function tokenizeCard({ api, credentials }: ApiFixture): Promise<void> {
  const { clientToken } = await expectData(api.public.post<{ clientToken: string }>('/client-token', {}));
  const browser = { 'X-Tenant-ID': credentials.tenantId, 'x-client-token': clientToken, ...BROWSER };
  const card = { cardNumber: CARDS.visa, expiryMonth: '12', expiryYear: '2045', deviceId: DEVICE };
  await expectData(api.bare.post<TransactionRecord>('/api/v1/public/tokenize-card', card, browser));
}

/** Begins an outage of the gateway of the second tenant, which does not end. */
async function beginOutage({ api, baseUrl, credentials }: ApiFixture): Promise<void> {
  const tenant = { 'X-Tenant-ID': credentials.standardTenantId };
  const owner = { email: credentials.standardAdminEmail, password: credentials.standardAdminPassword };
  const { token } = await expectData(api.bare.post<{ token: string }>('/api/v1/auth/login', owner, tenant));
  const standard = surfaceOf(baseUrl, '/api/v1', () => ({ ...tenant, Authorization: `Bearer ${token}` }));
  await expectData(standard.post('/sandbox/gateway', { mode: 'down' }));
}
