import { expect, test } from 'vitest';
import { documentOfRoutes } from '../../support/contract.ts';
import { describeOnAnyDatabase, expectData, expectError } from '../../support/server.ts';
import { createMerchant } from '../../support/settlements.ts';
import { createUser } from '../../support/users.ts';

interface Operation {
  readonly 'x-permission'?: string;
  readonly 'x-export-permission'?: string;
}

interface ExportOperation {
  readonly method: string;
  /** Path of the operation, with an unknown ID. */
  readonly path: string;
  readonly permission: string;
  readonly exportPermission: string;
}

/** Returns every operation of a surface that hands out records as a file, from the OpenAPI document. */
function exportsOf(surface: 'admin' | 'public'): ExportOperation[] {
  const { paths } = documentOfRoutes() as { paths: Record<string, Record<string, Operation>> };
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) => {
      const exportPermission = operation['x-export-permission'];
      const isPublic = path.startsWith('/api/v1/public/');
      if (exportPermission === undefined || isPublic !== (surface === 'public')) return [];
      const query = path.endsWith('/reporting/journal') ? '?startDate=2026-01-01&endDate=2026-01-02' : '';
      return [
        {
          method: method.toUpperCase(),
          path: `${path.replaceAll(/\{\w+\}/g, 'none_1')}${query}`,
          permission: operation['x-permission'] ?? '',
          exportPermission,
        },
      ];
    }),
  );
}

const DAYS = { startDate: '2026-01-01', endDate: '2026-01-02' };
const bodyOf = (path: string) =>
  path.includes('/email')
    ? { ...DAYS, email: 'books@example.com', ...(path.includes('/reporting/') && { report: 'revenue' }) }
    : path.includes('/journal/exports')
      ? DAYS
      : {};

interface Entry {
  readonly action: string;
  readonly resource: string;
  readonly actor: string;
  readonly after: Record<string, unknown> | null;
}

describeOnAnyDatabase('Exports', (fixture) => {
  const send = ({ method, path }: ExportOperation, headers: Record<string, string>) => {
    const { bare } = fixture().api;
    return method === 'GET' ? bare.get(path, headers) : bare.post(path, bodyOf(path), headers);
  };

  test('refuses every export to cashiers and viewers, who may read the same records', async () => {
    const operations = exportsOf('admin');
    expect(operations.length).toBeGreaterThan(10);
    for (const role of ['cashier', 'viewer']) {
      const { headers } = await createUser(fixture(), role);
      for (const operation of operations) {
        const { details } = await expectError(send(operation, headers), 403, 'PERMISSION_DENIED');
        expect([operation.permission, operation.exportPermission], operation.path).toContain(details?.permission);
      }
      const list = await fixture().api.bare.get('/api/v1/customers', headers);
      expect(list.status).toBe(200);
      const { details } = await expectError(fixture().api.bare.get('/api/v1/customers/export', headers), 403, 'PERMISSION_DENIED');
      expect(details).toEqual({ permission: 'customers:export' });
    }
  });

  test('records every export of an owner and an accountant with its filter and the number of rows', async () => {
    const operations = exportsOf('admin').filter(({ path }) => !path.includes('none_1') && !path.includes('/customers/exports'));
    for (const role of ['owner', 'accountant']) {
      const { headers, email } = await createUser(fixture(), role, { allMerchants: true });
      for (const operation of operations) {
        const { status } = await send(operation, headers);
        if (status === 403) {
          expect([role, operation.exportPermission]).toEqual(['accountant', 'audit:export']);
          continue;
        }
        expect([200, 201], operation.path).toContain(status);
        const [entry] = await expectData(fixture().api.admin.get<Entry[]>('/audit-logs?limit=1'));
        expect(entry, operation.path).toMatchObject({
          actor: email,
          action: expect.stringMatching(/export|\.sent$/),
          after: operation.path.includes('journal/exports') ? { entries: expect.any(Number) } : { rows: expect.any(Number) },
        });
      }
    }
  });

  test('names the filter and the merchant in the entry of an export', async () => {
    const { api } = fixture();
    const merchantId = await createMerchant(fixture());
    for (const name of ['Tea', 'Coffee']) await expectData(api.admin.post('/items', { name, price: 2, merchantId }), 201);
    const file = await api.admin.get(`/items/export?format=csv&merchantId=${merchantId}&q=tea`);
    expect(file.text.trim().split('\r\n')).toHaveLength(2);
    const [entry] = await expectData(api.admin.get<(Entry & { merchantId: string })[]>('/audit-logs?limit=1'));
    expect(entry).toMatchObject({
      action: 'data.exported',
      resource: 'items/export',
      merchantId,
      after: { filter: { merchantId, q: 'tea' }, rows: 1 },
    });
  });

  test('gives an API key the exports that its permissions name', async () => {
    const { api, credentials } = fixture();
    const keyWith = async (permissions: string[]) => {
      const body = { name: 'reader', scope: 'tenant', permissions, currentPassword: credentials.adminPassword };
      return (await expectData(api.admin.post<{ key: string }>('/api-keys', body), 201)).key;
    };
    const reader = { 'x-api-key': await keyWith(['items:read', 'tenders:read', 'shifts:read', 'invoices:read', 'customers:read']) };
    for (const { path } of exportsOf('public')) {
      const { details } = await expectError(
        api.bare.get(path, { 'X-Tenant-ID': credentials.tenantId, ...reader }),
        403,
        'PERMISSION_DENIED',
      );
      expect(details?.permission).toMatch(/:export$/);
    }
    const exporter = { 'x-api-key': await keyWith(['items:read', 'items:export']) };
    expect((await api.public.get('/items/export', exporter)).status).toBe(200);
    await expectError(api.public.get('/tenders/export', exporter), 403, 'PERMISSION_DENIED');
  });

  test('leaves tenders out of the export of payments without the right to export them', async () => {
    const { api, credentials } = fixture();
    const permissions = ['transactions:read', 'transactions:export', 'tenders:read'];
    const { headers } = await createUser(fixture(), 'viewer', { permissions, allMerchants: true });
    await expectData(api.admin.post('/tenders', { kind: 'cash', amount: 3, merchantId: credentials.merchantId }), 201);
    const ids = async (sender: Record<string, string>) =>
      (await api.bare.get('/api/v1/payments/export?type=sale', sender)).text.match(/^tnd_/gm)?.length ?? 0;
    expect(await ids(headers)).toBe(0);
    const { headers: owner } = await createUser(fixture(), 'owner');
    expect(await ids(owner)).toBeGreaterThan(0);
  });
});
