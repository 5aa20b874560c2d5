import { describe, expect } from 'vitest';
import { STRIPE_HEADER, stripeRow, testCard } from '../../support/customer-file.ts';
import { type ImportLineRecord, type ImportRecord, linesOf, runImport, sendCustomers, untilDone } from '../../support/customer-transfer.ts';
import { expectData, expectError, onAnyDatabase, onBothDatabases } from '../../support/server.ts';
import { createMerchant } from '../../support/settlements.ts';
import { until } from '../../support/until.ts';

interface CustomerRecord {
  readonly customerId: string;
  readonly firstName: string | null;
  readonly externalIds: readonly { source: string; id: string }[];
  readonly defaultPaymentMethod: { last4: string; externalId: string | null; hasNetworkTransactionId: boolean } | null;
}

const file = (...rows: string[]) => [STRIPE_HEADER, ...rows].join('\n');
const actions = (lines: readonly ImportLineRecord[]) =>
  lines.map(({ action, reason }) => (reason === null ? action : `${action}: ${reason}`));

describe('importing customers with cards', () => {
  onAnyDatabase('reports every line of a file before anything is stored, then imports each once', async (fixture) => {
    const { api } = fixture;
    const merchantId = await createMerchant(fixture);
    const known = await expectData(
      api.admin.post<CustomerRecord>('/customers', { merchantId, firstName: 'Ann', lastName: 'Marsh5', email: 'ann5@customer.example' }),
      201,
    );
    const card = { number: testCard(6), expiryMonth: '12', expiryYear: '2034' };
    await expectData(api.admin.post(`/customers/${known.customerId}/payment-methods`, { card }), 201);
    const content = file(
      stripeRow(1),
      stripeRow(2, { customer: 'cus_Old1' }),
      stripeRow(3, { customer: 'cus_Old1', number: testCard(1) }),
      stripeRow(4, { number: testCard(1) }),
      stripeRow(5),
      stripeRow(6),
      stripeRow(7, { number: '4111111111111112' }),
      stripeRow(8, { year: '2020' }),
      stripeRow(9, { number: '4532015112830366' }),
    );
    const read = await expectData(sendCustomers(fixture, content, merchantId), 201);
    expect(read).toMatchObject({ status: 'ready', provider: 'stripe', lines: 9, processed: 0, imported: 0 });
    expect(read.planned).toEqual({ create: 2, update: 2, duplicate: 1, shared: 2, rejected: 2 });
    const planned = await linesOf(fixture, read.importId);
    expect(actions(planned)).toEqual([
      'create',
      'update',
      'duplicate',
      'shared',
      'update',
      'shared',
      'rejected: invalid_card_number',
      'create: expired_card',
      'rejected: not_a_test_card',
    ]);
    expect(planned[3]?.reference).toBe('line 2');
    expect(planned[5]?.reference).toBe(known.customerId);
    const before = await expectData(api.admin.get<CustomerRecord[]>(`/customers?merchantId=${merchantId}`));
    expect(before).toHaveLength(1);

    // When ten requests start the import, one succeeds.
    const starts = await Promise.all(Array.from({ length: 10 }, () => api.admin.post(`/customers/imports/${read.importId}/run`, {})));
    expect(starts.map(({ status }) => status).sort()).toEqual([202, ...Array(9).fill(409)]);
    const done = await untilDone(fixture, read.importId);
    expect(done.results).toEqual(read.planned);
    expect(done).toMatchObject({ processed: 9, imported: 4 });
    const imported = await linesOf(fixture, read.importId);
    expect(imported.filter(({ isImported }) => isImported).map(({ action }) => action)).toEqual(['create', 'update', 'update', 'create']);
    const customers = await expectData(api.admin.get<CustomerRecord[]>(`/customers?merchantId=${merchantId}`));
    expect(customers).toHaveLength(3);
    const [found] = await expectData(api.admin.get<CustomerRecord[]>(`/customers?merchantId=${merchantId}&q=cus_Old1`));
    expect(found).toMatchObject({
      firstName: 'Ann',
      externalIds: [{ source: 'stripe', id: 'cus_Old1' }],
      defaultPaymentMethod: { externalId: 'card_2', hasNetworkTransactionId: true },
    });

    // The same file again changes nothing.
    const again = await expectData(sendCustomers(fixture, content, merchantId), 201);
    expect(again.planned).toEqual({ create: 0, update: 0, duplicate: 5, shared: 2, rejected: 2 });
    const added = await runImport(fixture, again.importId, { sharedCards: 'add' });
    expect(added.results).toEqual({ create: 2, update: 0, duplicate: 5, shared: 0, rejected: 2 });
  });

  onBothDatabases('erases the lines of a deleted customer from reports', async (fixture) => {
    const merchantId = await createMerchant(fixture);
    const rows = file(stripeRow(31), stripeRow(32, { customer: 'cus_Stays' }));
    const { importId } = await expectData(sendCustomers(fixture, rows, merchantId), 201);
    await runImport(fixture, importId);
    const [first, second] = await linesOf(fixture, importId);
    await expectData(fixture.api.admin.delete(`/customers/${first?.customerId}`));
    const erased = { name: null, externalId: null, brand: null, last4: null };
    expect(await linesOf(fixture, importId)).toEqual([{ ...first, ...erased }, second]);
  });

  onBothDatabases('creates no customer again who was deleted during the import', async (fixture) => {
    const { api } = fixture;
    const merchantId = await createMerchant(fixture);
    const others = Array.from({ length: 400 }, (_, n) => stripeRow(n + 1_000));
    const again = stripeRow(41, { customer: 'cus_Twice', number: testCard(42) });
    const { importId } = await expectData(
      sendCustomers(fixture, file(stripeRow(41, { customer: 'cus_Twice' }), ...others, again), merchantId),
      201,
    );
    await expectData(api.admin.post(`/customers/imports/${importId}/run`, {}), 202);
    const find = () => expectData(api.admin.get<CustomerRecord[]>(`/customers?merchantId=${merchantId}&q=cus_Twice`));
    const { customerId } = await until('the first line is imported', async () => (await find())[0]);
    await expectData(api.admin.delete(`/customers/${customerId}`));
    await untilDone(fixture, importId);
    expect(await find()).toEqual([]);
    const last = (await linesOf(fixture, importId, '&page=3')).at(-1);
    expect(last).toMatchObject({ name: null, externalId: null, brand: null, last4: null });
  });

  onAnyDatabase('reports a line that breaks off, and leaves nothing of a file that does', async (fixture) => {
    const merchantId = await createMerchant(fixture);
    const error = await expectError(
      sendCustomers(fixture, `[{"id":"c","card":{"number":"${testCard(1)}"}},{"id":`, merchantId),
      400,
      'VALIDATION_ERROR',
      'file',
    );
    expect(error.details).toMatchObject({ line: 1 });
    expect(error.message).not.toContain('4111');
    const unknown = await expectError(sendCustomers(fixture, `name,card\nAnn,${testCard(1)}`, merchantId), 400, 'VALIDATION_ERROR', 'file');
    expect(unknown.message).toContain('Stripe');
    expect(await expectData(fixture.api.admin.get(`/customers/imports?merchantId=${merchantId}`))).toEqual([]);
  });

  onAnyDatabase('refuses a form with a field or another file after the file, and leaves nothing', async (fixture) => {
    const merchantId = await createMerchant(fixture);
    const before = await expectData(fixture.api.admin.get<ImportRecord[]>('/customers/imports?limit=200'));
    const content = new Blob([file(stripeRow(1))]);
    const late = new FormData();
    late.set('file', content, 'customers.csv');
    late.set('merchantId', merchantId);
    const error = await expectError(fixture.api.admin.post('/customers/imports', late), 400, 'VALIDATION_ERROR', 'merchantId');
    expect(error.message).toBe('Send `merchantId` before `file` in the form.');
    const twice = new FormData();
    for (const name of ['one.csv', 'two.csv']) twice.append('file', content, name);
    await expectError(fixture.api.admin.post('/customers/imports', twice), 400, 'VALIDATION_ERROR', 'file');
    expect(await expectData(fixture.api.admin.get<ImportRecord[]>('/customers/imports?limit=200'))).toEqual(before);
  });

  onAnyDatabase('stops, continues and discards an import', async (fixture) => {
    const { api } = fixture;
    const merchantId = await createMerchant(fixture);
    const { importId } = await expectData(
      sendCustomers(fixture, file(...Array.from({ length: 60 }, (_, n) => stripeRow(n + 100))), merchantId),
      201,
    );
    const path = `/customers/imports/${importId}`;
    await expectError(api.admin.post(`${path}/stop`), 409, 'RESOURCE_CONFLICT');
    await expectData(api.admin.post(`${path}/run`, {}), 202);
    const stopped = await api.admin.post<ImportRecord>(`${path}/stop`);
    // The import may have finished before the request to stop it arrived.
    if (stopped.status === 200) {
      await expectData(api.admin.delete(path));
      await expectError(api.admin.post(`${path}/run`, {}), 409, 'RESOURCE_CONFLICT');
    }
    const { imported } = await expectData(api.admin.get<ImportRecord>(path));
    const customers = await api.admin.get(`/customers?merchantId=${merchantId}&limit=1`);
    expect(customers.body.pagination.total).toBe(imported);
    const other = await expectData(
      sendCustomers(fixture, file(...Array.from({ length: 60 }, (_, n) => stripeRow(n + 100))), merchantId),
      201,
    );
    expect(other.planned).toMatchObject({ duplicate: imported, create: 60 - imported });
  });

  onAnyDatabase('writes a report as CSV in which formulas are texts', async (fixture) => {
    const merchantId = await createMerchant(fixture);
    const row = stripeRow(300, { name: '=1+1 Marsh' });
    const { importId } = await expectData(sendCustomers(fixture, file(row), merchantId), 201);
    const { text, headers } = await fixture.api.admin.get(`/customers/imports/${importId}/report`);
    expect(headers.get('content-type')).toContain('text/csv');
    expect(text.split('\r\n')).toEqual([
      'line,action,reason,reference,name,externalId,brand,last4,imported,customerId,paymentMethodId',
      expect.stringMatching(/^2,create,,,'=1\+1 Marsh,cus_Old300,visa,\d{4},no,,$/),
      '',
    ]);
  });
});
