import { unzipSync } from 'fflate';
import { expect, test } from 'vitest';
import { containsCardNumber } from '../../../shared/card-numbers.ts';
import { createCustomer, storeCard } from '../../support/customers.ts';
import { pdfFile } from '../../support/hostile-files.ts';
import { createInvoice } from '../../support/invoices.ts';
import { pairReader, present, startSale } from '../../support/readers.ts';
import { createSale } from '../../support/sales.ts';
import { type ApiFixture, describeOnAnyDatabase, expectData, expectError, FULL, onAnyDatabase } from '../../support/server.ts';
import { createMerchant, sell } from '../../support/settlements.ts';
import { until } from '../../support/until.ts';

interface Evidence {
  checklist: { item: string; state: string; detail: string }[];
  letter: string;
  attachments: { attachmentId: string; name: string; mediaType: string }[];
  packs: { packId: string; pages: number }[];
}

const PNG = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');

async function attach({ baseUrl, credentials }: ApiFixture, disputeId: string, content: Buffer, item = 'signed_copy') {
  const form = new FormData();
  form.set('item', item);
  form.set('file', new Blob([new Uint8Array(content)]), 'slip.png');
  return fetch(`${baseUrl}/api/v1/public/disputes/${disputeId}/attachments`, {
    method: 'POST',
    headers: { 'x-api-key': credentials.apiKey, 'X-Tenant-ID': credentials.tenantId },
    body: form,
  });
}

async function download({ baseUrl, credentials }: ApiFixture, disputeId: string, packId: string, format: string): Promise<Buffer> {
  const response = await fetch(`${baseUrl}/api/v1/public/disputes/${disputeId}/evidence/${packId}?format=${format}`, {
    headers: { 'x-api-key': credentials.apiKey, 'X-Tenant-ID': credentials.tenantId },
  });
  expect(response.status).toBe(200);
  return Buffer.from(await response.arrayBuffer());
}

const disputeOf = async ({ api }: ApiFixture, amount: number, more: Record<string, unknown> = {}) => {
  const sale = await createSale({ api } as ApiFixture, amount, more);
  return expectData(
    api.admin.post<{ disputeId: string; transactionId: string }>('/disputes', { transactionId: sale.transactionId, reasonCode: '10.4' }),
    201,
  );
};

onAnyDatabase('creates a pack with numbered exhibits and an archive, without a card number, and submits it', async (fixture) => {
  const { api } = fixture;
  const { disputeId, transactionId } = await disputeOf(fixture, 64, {
    customer: { email: 'ada-64@shop.example' },
    description: 'Two chairs',
  });
  await expectData(api.admin.post('/notifications/receipt/email', { transactionId, email: 'ada@shop.example' }));
  expect((await attach(fixture, disputeId, PNG)).status).toBe(201);
  const evidence = await expectData(api.admin.get<Evidence>(`/disputes/${disputeId}/evidence`));
  const states = Object.fromEntries(evidence.checklist.map(({ item, state }) => [item, state]));
  expect(states).toMatchObject({ transaction: 'found', signed_copy: 'found', delivery: 'missing', compelling_evidence: 'not_kept' });
  expect(evidence.letter).toContain('64.00 USD');
  const pack = await expectData(api.admin.post<{ packId: string; pages: number }>(`/disputes/${disputeId}/evidence`, {}), 201);
  const pdf = await download(fixture, disputeId, pack.packId, 'pdf');
  expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
  const files = unzipSync(await download(fixture, disputeId, pack.packId, 'zip'));
  expect(Object.keys(files).toSorted()).toEqual([
    'audit.json',
    'evidence.pdf',
    'exhibits/exhibit-2.pdf',
    'exhibits/exhibit-3.png',
    'facts.json',
    'letter.txt',
    'manifest.json',
    'verify.mjs',
  ]);
  // Other customers of the sample data paid with the same card.
  expect(JSON.parse(Buffer.from(files['facts.json'] ?? []).toString('utf8'))).toMatchObject({ earlier: [] });
  for (const [name, content] of Object.entries(files))
    if (/\.(json|txt)$/.test(name)) expect(containsCardNumber(Buffer.from(content).toString('utf8')), name).toBe(false);
  expect(await expectData(api.admin.post(`/disputes/${disputeId}/submit`, { packId: pack.packId }))).toMatchObject({
    status: 'submitted',
    submittedPackId: pack.packId,
  });
});

// The days of these zones are 25 hours apart, so that one of them differs from the day of UTC at any time.
onAnyDatabase('dates the facts and the letter by days of the merchant', async (fixture) => {
  for (const timezone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
    const merchantId = await createMerchant(fixture, { timezone });
    const { transactionId } = await sell(fixture, merchantId, 68);
    const { createdAt } = await expectData(fixture.api.admin.get<{ createdAt: string }>(`/transactions/${transactionId}`));
    const body = { transactionId, reasonCode: '13.1' };
    const { disputeId } = await expectData(fixture.api.admin.post<{ disputeId: string }>('/disputes', body), 201);
    const { checklist, letter } = await expectData(fixture.api.admin.get<Evidence>(`/disputes/${disputeId}/evidence`));
    const day = new Intl.DateTimeFormat('en-CA', { timeZone: timezone }).format(new Date(createdAt));
    expect(checklist.find(({ item }) => item === 'transaction')?.detail).toContain(`68.00 USD on ${day}`);
    expect(letter).toContain(`Payment: 68.00 USD on ${day}`);
  }
});

onAnyDatabase('names no payment of a payer with another name, where neither is a known customer', async (fixture) => {
  await createSale(fixture, 61, { customer: { name: 'Ben Stone' } });
  const own = await createSale(fixture, 62, { customer: { name: 'Ada Field' } });
  const { disputeId } = await disputeOf(fixture, 63, { customer: { name: 'Ada Field' } });
  const { packId } = await expectData(fixture.api.admin.post<{ packId: string }>(`/disputes/${disputeId}/evidence`, {}), 201);
  const { earlier } = JSON.parse(
    Buffer.from(unzipSync(await download(fixture, disputeId, packId, 'zip'))['facts.json'] ?? []).toString('utf8'),
  ) as { earlier: { transactionId: string }[] };
  expect(earlier.map(({ transactionId }) => transactionId)).toEqual([own.transactionId]);
});

onAnyDatabase(
  'creates a pack for a payment of a subscription that was canceled and removed',
  async (fixture) => {
    const { api } = fixture;
    const { customerId } = await createCustomer(fixture);
    const card = { number: '4111111111111111', expiryMonth: '12', expiryYear: '2045' };
    await expectData(api.admin.post(`/customers/${customerId}/payment-methods`, { card, consentText: 'I agree.' }), 201);
    const plan = { customerId, amount: '67.00', frequency: 'biweekly' };
    const { subscriptionId } = await expectData(api.admin.post<{ subscriptionId: string }>('/recurring', plan), 201);
    const payments = () => expectData(api.admin.get<{ transactionId: string }[]>(`/transactions?customerId=${customerId}`));
    await until('the subscription is charged', async () => (await payments()).length > 0);
    const [paid] = await payments();
    await expectData(api.admin.delete(`/recurring/${subscriptionId}`));
    const body = { transactionId: paid?.transactionId, reasonCode: '13.2' };
    const { disputeId } = await expectData(api.admin.post<{ disputeId: string }>('/disputes', body), 201);
    await expectData(api.admin.post(`/disputes/${disputeId}/evidence`, {}), 201);
    const { checklist } = await expectData(api.admin.get<Evidence>(`/disputes/${disputeId}/evidence`));
    const detailOf = (name: string) => checklist.find(({ item }) => item === name)?.detail;
    expect(detailOf('subscription')).toContain('1 payment made');
    expect(detailOf('cancellation')).toContain('Canceled on');
  },
  FULL,
);

onAnyDatabase(
  'names the installment, its plan and the consent for an automatic payment of an invoice',
  async (fixture) => {
    const { api } = fixture;
    const { customerId } = await createCustomer(fixture);
    await storeCard(fixture, customerId, undefined, { consentText: 'I agree to two installments.' });
    const { invoiceId } = await createInvoice(fixture, customerId, { amount: 90 });
    const schedule = { invoiceId, count: 2, interval: 'monthly' };
    const plan = await expectData(
      api.admin.post<{ installmentPlanId: string; installments: { transactionId: string }[] }>('/installment-plans', schedule),
      201,
    );
    const body = { transactionId: plan.installments[0]?.transactionId, reasonCode: '13.2' };
    const { disputeId } = await expectData(api.admin.post<{ disputeId: string }>('/disputes', body), 201);
    const evidence = async () => {
      const { checklist, letter } = await expectData(api.admin.get<Evidence>(`/disputes/${disputeId}/evidence`));
      return { letter, of: (name: string) => checklist.find(({ item }) => item === name) };
    };
    const { letter, of } = await evidence();
    expect(of('subscription')).toMatchObject({ state: 'found', detail: expect.stringContaining('Installment 1 of 2') });
    expect(of('consent')?.detail).toContain('I agree to two installments.');
    expect(of('cancellation')?.detail).toBe('The installment plan was not canceled.');
    expect(letter).toContain('the installment plan, the consent to it');
    expect(letter).not.toContain('ubscription');
    await expectData(api.admin.post(`/installment-plans/${plan.installmentPlanId}/cancel`));
    expect((await evidence()).of('cancellation')?.detail).toContain('Canceled on');
    const { packId } = await expectData(api.admin.post<{ packId: string }>(`/disputes/${disputeId}/evidence`, {}), 201);
    const files = unzipSync(await download(fixture, disputeId, packId, 'zip'));
    expect(JSON.parse(Buffer.from(files['facts.json'] ?? []).toString('utf8'))).toMatchObject({
      subscription: null,
      installment: { installmentPlanId: plan.installmentPlanId, number: 1, installmentCount: 2 },
    });
  },
  FULL,
);

onAnyDatabase('refuses a pack above the pages that the scheme accepts, and names the limit', async (fixture) => {
  const sale = await createSale(fixture, 66, { card: { number: '5555555555554444', expiryMonth: '12', expiryYear: '2045', cvv: '123' } });
  const { disputeId } = await expectData(
    fixture.api.admin.post<{ disputeId: string }>('/disputes', { transactionId: sale.transactionId, reasonCode: '4837' }),
    201,
  );
  const create = (body: Record<string, unknown> = {}) => fixture.api.admin.post<{ pages: number }>(`/disputes/${disputeId}/evidence`, body);
  const page = '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>';
  const kids = Array.from({ length: 18 }, (_, index) => `${index + 3} 0 R`).join(' ');
  const many = pdfFile(['<</Type/Catalog/Pages 2 0 R>>', `<</Type/Pages/Kids[${kids}]/Count 18>>`, ...Array<string>(18).fill(page)]);
  for (const content of [PNG, many]) expect((await attach(fixture, disputeId, content)).status).toBe(201);
  const refusal = await expectError(create(), 409, 'RESOURCE_CONFLICT');
  expect(refusal).toMatchObject({ details: { reason: 'pack_too_large' }, message: expect.stringContaining('at most 19') });
  const { attachments } = await expectData(fixture.api.admin.get<Evidence>(`/disputes/${disputeId}/evidence`));
  const attachmentIds = attachments.slice(0, 1).map(({ attachmentId }) => attachmentId);
  const { pages } = await expectData(create({ attachmentIds }), 201);
  expect(pages).toBeLessThanOrEqual(10);
});

describeOnAnyDatabase('attachments', (fixture) => {
  test('are removed until the evidence is submitted, with an entry in the audit log, and packs contain what was chosen', async () => {
    const { api } = fixture();
    const { disputeId } = await disputeOf(fixture(), 68);
    for (let index = 0; index < 3; index += 1) expect((await attach(fixture(), disputeId, PNG)).status).toBe(201);
    const evidence = () => expectData(api.admin.get<Evidence>(`/disputes/${disputeId}/evidence`));
    const [first, second, third] = (await evidence()).attachments.map(({ attachmentId }) => attachmentId);
    const path = (id: string | undefined) => `/disputes/${disputeId}/attachments/${id}`;
    const answers = await Promise.all(Array.from({ length: 10 }, () => api.admin.delete(path(first))));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(404)]);
    const removed = await expectData(
      api.admin.get<object[]>(`/audit-logs?resource=disputes/${disputeId}&action=dispute.attachment_removed`),
    );
    expect(removed).toMatchObject([{ after: { attachment: { name: 'slip.png' } } }]);
    const pack = (body: object) => api.admin.post<{ packId: string }>(`/disputes/${disputeId}/evidence`, body);
    expect((await expectError(pack({ attachmentIds: [first] }), 400, 'VALIDATION_ERROR')).field).toBe('attachmentIds');
    expect((await expectError(pack({ documents: ['invoice'] }), 400, 'VALIDATION_ERROR')).field).toBe('documents');
    const { packId } = await expectData(pack({ attachmentIds: [second], documents: [] }), 201);
    const names = Object.keys(unzipSync(await download(fixture(), disputeId, packId, 'zip')));
    expect(names.filter((name) => name.startsWith('exhibits/'))).toEqual(['exhibits/exhibit-2.png']);
    await expectData(api.admin.post(`/disputes/${disputeId}/submit`, { packId }));
    await expectError(api.admin.delete(path(third)), 409, 'RESOURCE_CONFLICT');
    expect((await evidence()).attachments).toHaveLength(2);
  });

  test('are recognized by their content, and damaged or unknown files are refused', async () => {
    const { disputeId } = await disputeOf(fixture(), 65);
    for (const content of [Buffer.from('MZ program'), Buffer.from('%PDF-1.7 broken'), PNG.subarray(0, 20), Buffer.alloc(0)])
      expect((await attach(fixture(), disputeId, content)).status).toBe(400);
    expect((await attach(fixture(), disputeId, PNG, 'no_such_item')).status).toBe(400);
    expect((await attach(fixture(), disputeId, Buffer.concat([PNG, Buffer.alloc(4 * 1_048_576)]))).status).toBe(413);
    await expectError(fixture().api.admin.post(`/disputes/${disputeId}/submit`, { packId: 'dpk_none' }), 404, 'NOT_FOUND');
  });
});

onAnyDatabase('includes how a card reader read the card and verified its holder', async (fixture) => {
  const { terminalId } = await pairReader(fixture);
  const { transactionId } = await startSale(fixture, terminalId, 66);
  await present(fixture, terminalId, 'chip');
  const { disputeId } = await expectData(
    fixture.api.admin.post<{ disputeId: string }>('/disputes', { transactionId, reasonCode: '10.1' }),
    201,
  );
  const { packId } = await expectData(fixture.api.admin.post<{ packId: string }>(`/disputes/${disputeId}/evidence`, {}), 201);
  const files = unzipSync(await download(fixture, disputeId, packId, 'zip'));
  expect(JSON.parse(Buffer.from(files['facts.json'] ?? []).toString('utf8'))).toMatchObject({
    transaction: { channel: 'chip', terminal: { entryMode: 'chip', applicationId: 'A0000000031010', verification: 'pin' } },
  });
});
