import { describe, expect, test } from 'vitest';
import { importItems } from '../../support/items.ts';
import { cardBody } from '../../support/sales.ts';
import { describeOnAnyDatabase, expectData, expectError } from '../../support/server.ts';
import { createMerchant } from '../../support/settlements.ts';

const MARK = [0xef, 0xbb, 0xbf];

describeOnAnyDatabase('CSV files', (fixture) => {
  let token: string | undefined;
  /** Returns the bytes of a file, which a text would not have from the beginning. */
  const bytesOf = async (path: string): Promise<Uint8Array> => {
    const { api, baseUrl, credentials } = fixture();
    const { tenantId, adminEmail: email, adminPassword: password } = credentials;
    token ??= (await expectData(api.bare.post<{ token: string }>('/api/v1/auth/login', { email, password }, { 'X-Tenant-ID': tenantId })))
      .token;
    const response = await fetch(`${baseUrl}/api/v1${path}`, { headers: { 'X-Tenant-ID': tenantId, Authorization: `Bearer ${token}` } });
    expect(response.status).toBe(200);
    return new Uint8Array(await response.arrayBuffer());
  };

  test('begin with the byte order mark of UTF-8, unless a program omits it', async () => {
    for (const path of [
      '/transactions/export',
      '/payments/export',
      '/customers/export',
      '/items/export',
      '/tenders/export',
      '/audit-logs/export',
    ]) {
      expect([...(await bytesOf(path)).slice(0, 3)], path).toEqual(MARK);
      expect((await bytesOf(`${path}?bom=false`))[0], path).not.toBe(MARK[0]);
    }
    await expectError(fixture().api.admin.get('/items/export?bom=no'), 400, 'VALIDATION_ERROR', 'bom');
  });

  test('of accounting programs begin with the name of their first column', async () => {
    const period = 'startDate=2026-11-01&endDate=2026-11-30';
    expect((await bytesOf(`/reporting/journal?${period}&format=csv`))[0]).toBe(MARK[0]);
    expect(Buffer.from(await bytesOf(`/reporting/journal?${period}&format=xero`)).toString()).toMatch(/^\*Narration/);
  });

  test('of items can be imported as they are', async () => {
    const merchantId = await createMerchant(fixture());
    await expectData(importItems(fixture(), 'name,price\nCafé crème,3\n', { merchantId }));
    const file = await bytesOf(`/items/export?merchantId=${merchantId}`);
    expect(await expectData(importItems(fixture(), new Uint8Array(file), { merchantId }))).toMatchObject({ unchanged: 1, failed: 0 });
  });

  describe('with times', () => {
    test('name the day of each row in the time zone of its merchant, by which they select', async () => {
      const { api } = fixture();
      // It is always another day on one of these islands than in UTC.
      for (const timezone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
        const merchantId = await createMerchant(fixture(), { timezone });
        const sale = await expectData(api.admin.post<{ createdAt: string }>('/transactions', { ...cardBody(20), merchantId }));
        const day = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, dateStyle: 'short' }).format(new Date(sale.createdAt));
        for (const list of ['transactions', 'payments']) {
          const { text } = await api.admin.get(`/${list}/export?merchantId=${merchantId}&startDate=${day}&endDate=${day}`);
          const [header = '', row = ''] = text.split('\r\n');
          expect(row.split(',')[header.split(',').indexOf('localDate')]).toBe(day);
        }
      }
    });
  });
});
