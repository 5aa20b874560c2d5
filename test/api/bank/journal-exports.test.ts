import { beforeAll, expect, test } from 'vitest';
import { createPerson } from '../../support/approvals.ts';
import {
  ANY_DATABASE,
  type Answer,
  type ApiFixture,
  describeOnSmallData,
  expectData,
  expectError,
  onAnyDatabase,
  onBothDatabases,
} from '../../support/server.ts';
import { createMerchant, sell } from '../../support/settlements.ts';
import { signInAs } from '../../support/users.ts';

interface JournalExport {
  readonly journalExportId: string;
  readonly merchantId: string;
  readonly entries: number;
  readonly newEntries: number;
  readonly only: 'new' | null;
  readonly createdBy: string;
}

const EXPORTS = '/reporting/journal/exports';
const HEADER = 'paydesk-journal-export';
const dayAt = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
/** Contains the day of the tests, also if they run at midnight. */
const PERIOD = { startDate: dayAt(-1), endDate: dayAt(1) };
const ok = async (answer: Promise<Answer<unknown>>) => {
  const { status, text, headers } = await answer;
  expect(status).toBe(200);
  return { text, exportId: headers.get(HEADER) ?? '' };
};
const exportJournal = ({ api }: ApiFixture, merchantId: string, more: Record<string, string> = {}) =>
  ok(api.admin.get(`/reporting/journal?${new URLSearchParams({ ...PERIOD, merchantId, ...more })}`));
const fileOf = async ({ api }: ApiFixture, exportId: string, format = 'csv') =>
  (await ok(api.admin.get(`${EXPORTS}/${exportId}/file?format=${format}`))).text;
const create = ({ api }: ApiFixture, merchantId: string, more: Record<string, string> = {}) =>
  expectData(api.admin.post<JournalExport>(EXPORTS, { ...PERIOD, merchantId, ...more }), 201);
const list = ({ api }: ApiFixture, query: Record<string, string>) =>
  expectData(api.admin.get<JournalExport[]>(`${EXPORTS}?${new URLSearchParams(query)}`));
const idsOf = (text: string) => [...new Set(text.match(/PD-[0-9A-F]{16}/g))];

async function createShop(fixture: ApiFixture): Promise<string> {
  const merchantId = await createMerchant(fixture, { timezone: 'UTC' });
  await sell(fixture, merchantId, 20, { taxAmount: 1.5 });
  return merchantId;
}

onAnyDatabase('finds the entries of an export whose response was lost', async (fixture) => {
  const merchantId = await createShop(fixture);
  // The client does not receive this response.
  const lost = await exportJournal(fixture, merchantId, { only: 'new' });
  const repeated = await exportJournal(fixture, merchantId, { only: 'new' });
  expect(idsOf(repeated.text)).toEqual([]);
  const [second, first] = await list(fixture, { merchantId });
  expect(second).toMatchObject({ journalExportId: repeated.exportId, entries: 0, newEntries: 0 });
  expect(first).toMatchObject({ ...PERIOD, merchantId, entries: 2, newEntries: 2, only: 'new', createdBy: expect.stringContaining('@') });
  const file = await fileOf(fixture, first?.journalExportId ?? '');
  expect(idsOf(file)).toHaveLength(2);
  expect({ file, id: first?.journalExportId }).toEqual({ file: lost.text, id: lost.exportId });
});

onAnyDatabase('writes the same file of an export again after later changes, in each format', async (fixture) => {
  const merchantId = await createShop(fixture);
  const first = await exportJournal(fixture, merchantId);
  const plain = await fileOf(fixture, first.exportId, 'hledger');
  await sell(fixture, merchantId, 30);
  const second = await exportJournal(fixture, merchantId);
  const third = await exportJournal(fixture, merchantId, { only: 'new' });
  expect(second.text).toMatch(/,exported,.*,changed,/s);
  for (const { exportId, text } of [first, second, third]) expect(await fileOf(fixture, exportId)).toBe(text);
  expect(await fileOf(fixture, first.exportId, 'hledger')).toBe(plain);
  for (const format of ['xero', 'quickbooks', 'iif', 'hledger', 'beancount'])
    expect(idsOf(await fileOf(fixture, first.exportId, format)).toSorted()).toEqual(idsOf(first.text).toSorted());
  // A download records nothing and exports nothing.
  expect((await list(fixture, { merchantId })).map(({ journalExportId }) => journalExportId)).toEqual(
    [third, second, first].map(({ exportId }) => exportId),
  );
});

onAnyDatabase('records no export for a HEAD request', async (fixture) => {
  const merchantId = await createShop(fixture);
  const created = await create(fixture, merchantId);
  const { tenantId, adminEmail, adminPassword } = fixture.credentials;
  const { token } = await signInAs(fixture, adminEmail, adminPassword, tenantId);
  const headers = { 'X-Tenant-ID': tenantId, Authorization: `Bearer ${token}` };
  const path = `/api/v1/reporting/journal?${new URLSearchParams({ ...PERIOD, merchantId })}`;
  expect((await fetch(`${fixture.baseUrl}${path}`, { method: 'HEAD', headers })).status).toBe(404);
  expect(await list(fixture, { merchantId })).toEqual([created]);
});

onBothDatabases('exports each entry as new in one of several parallel exports', async (fixture) => {
  const merchantId = await createShop(fixture);
  const exports = await Promise.all(Array.from({ length: 8 }, () => create(fixture, merchantId, { only: 'new' })));
  expect(exports.map(({ newEntries }) => newEntries).toSorted()).toEqual([0, 0, 0, 0, 0, 0, 0, 2]);
  const files = await Promise.all(exports.map(({ journalExportId }) => fileOf(fixture, journalExportId)));
  expect(files.flatMap(idsOf)).toHaveLength(2);
});

onBothDatabases('records one export for repeated requests with an Idempotency-Key', async (fixture) => {
  const merchantId = await createShop(fixture);
  const body = { ...PERIOD, merchantId, only: 'new' };
  const headers = { 'Idempotency-Key': `export-${merchantId}` };
  const send = () => expectData(fixture.api.admin.post<JournalExport>(EXPORTS, body, headers), 201);
  const first = await send();
  expect(await send()).toEqual(first);
  expect(await list(fixture, { merchantId })).toEqual([first]);
});

onAnyDatabase('lists exports in pages and records each in the audit log', async (fixture) => {
  const { api } = fixture;
  const merchantId = await createShop(fixture);
  const other = await createShop(fixture);
  const ids: string[] = [];
  for (const only of ['new', 'new', 'new']) ids.unshift((await create(fixture, merchantId, { only })).journalExportId);
  const elsewhere = await create(fixture, other);
  const path = `${EXPORTS}?merchantId=${merchantId}&limit=2`;
  const { body: page } = await api.admin.get<JournalExport[]>(path);
  expect(page.data.map(({ journalExportId }) => journalExportId)).toEqual(ids.slice(0, 2));
  expect(page.pagination.total).toBe(3);
  const rest = await expectData(api.admin.get<JournalExport[]>(`${path}&cursor=${page.pagination.nextCursor}`));
  expect(rest.map(({ journalExportId }) => journalExportId)).toEqual(ids.slice(2));
  const all = await list(fixture, { limit: '4' });
  expect(all.map(({ journalExportId }) => journalExportId)).toEqual([elsewhere.journalExportId, ...ids]);
  for (const id of ids) {
    const path = `/audit-logs?resource=reporting/journal/exports/${id}`;
    const entries = await expectData(api.admin.get<{ action: string; merchantId: string }[]>(path));
    expect(entries).toEqual([expect.objectContaining({ action: 'journal.exported', merchantId })]);
  }
});

onAnyDatabase('hides exports of other merchants, and requires the permission of the export for its file', async (fixture) => {
  const merchantId = await createShop(fixture);
  const other = await createShop(fixture);
  const { journalExportId } = await create(fixture, merchantId);
  const manager = await createPerson(fixture, 'manager', other);
  const own = await expectData(manager.as.post<JournalExport>(EXPORTS, PERIOD), 201);
  expect(await expectData(manager.as.get<JournalExport[]>(EXPORTS))).toEqual([own]);
  await expectError(manager.as.get(`${EXPORTS}?merchantId=${merchantId}`), 403, 'MERCHANT_NOT_AUTHORIZED');
  await expectError(manager.as.post(EXPORTS, { ...PERIOD, merchantId }), 403, 'MERCHANT_NOT_AUTHORIZED');
  await expectError(manager.as.get(`${EXPORTS}/${journalExportId}/file`), 403, 'MERCHANT_NOT_AUTHORIZED');
  await expectError(fixture.api.admin.get(`${EXPORTS}/jex_00000000000000000000000000/file`), 404, 'NOT_FOUND');
  const reader = await createPerson(fixture, 'viewer', merchantId);
  expect(await expectData(reader.as.get<JournalExport[]>(EXPORTS))).toHaveLength(1);
  await expectError(reader.as.get(`${EXPORTS}/${journalExportId}/file`), 403, 'PERMISSION_DENIED');
  await expectError(reader.as.post(EXPORTS, PERIOD), 403, 'PERMISSION_DENIED');
});

onAnyDatabase('refuses a period that no export can have', async (fixture) => {
  const merchantId = await createMerchant(fixture);
  const send = (more: object) => fixture.api.admin.post(EXPORTS, { ...PERIOD, merchantId, ...more });
  await expectError(send({ startDate: '2026-02-30' }), 400, 'INVALID_DATE');
  await expectError(send({ startDate: '2024-01-01', endDate: '2026-01-01' }), 400, 'VALIDATION_ERROR');
  await expectError(send({ only: 'old' }), 400, 'VALIDATION_ERROR');
  expect(await list(fixture, { merchantId })).toEqual([]);
});

describeOnSmallData('a sandbox reset', ANY_DATABASE, (fixture) => {
  let exportId: string;
  beforeAll(async () => {
    const { merchantId } = fixture().credentials;
    exportId = (await create(fixture(), merchantId)).journalExportId;
    await expectData(fixture().api.admin.post('/sandbox/reset'));
  });

  test('removes the exports of the journal with its entries', async () => {
    expect(await list(fixture(), {})).toEqual([]);
    await expectError(fixture().api.admin.get(`${EXPORTS}/${exportId}/file`), 404, 'NOT_FOUND');
  });
});
