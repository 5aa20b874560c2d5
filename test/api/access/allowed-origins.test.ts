import { expect, test } from 'vitest';
import { surfaceOf } from '../../support/api-client.ts';
import { CARDS } from '../../support/sales.ts';
import { describeOnAnyDatabase, expectData, expectError } from '../../support/server.ts';
import { createUser } from '../../support/users.ts';

interface Key {
  readonly id: string;
  readonly key: string;
  readonly allowedOrigins: readonly string[];
}

const SALE = { Amount: 5, CardNumber: CARDS.visa, ExpiryDate: '1231', Cvv: '123' };
let shops = 0;

describeOnAnyDatabase('origins of API keys', (fixture) => {
  const newOrigin = () => `https://shop${++shops}.example`;

  async function keyWith(allowedOrigins?: readonly string[]): Promise<Key> {
    const { api, credentials } = fixture();
    const { merchantId } = credentials;
    const body = { name: 'shop', scope: 'merchant', merchantId, allowedOrigins, currentPassword: api.adminPassword };
    return expectData(api.admin.post<Key>('/api-keys', body), 201);
  }

  /** Sends the request that a browser sends before a page of another origin may call the path. */
  const preflight = (origin: string, path = '/api/v1/sdk/transaction', more: Record<string, string> = {}) =>
    fetch(fixture().baseUrl + path, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST', 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors', ...more },
    });

  /** Sends a sale as a page of an origin does. */
  const sell = (origin: string, key: string) =>
    fetch(`${fixture().baseUrl}/api/v1/sdk/transaction`, {
      method: 'POST',
      headers: {
        origin,
        'sec-fetch-site': 'cross-site',
        'sec-fetch-mode': 'cors',
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(SALE),
    });
  const allowedBy = ({ headers }: Response) => headers.get('access-control-allow-origin');

  test('a key has none by default: pages are refused with the reason, and programs are not', async () => {
    const { key, allowedOrigins } = await keyWith();
    expect(allowedOrigins).toEqual([]);
    const origin = newOrigin();
    for (const refused of [await preflight(origin), await sell(origin, key), await sell('null', key)]) {
      expect([refused.status, allowedBy(refused)]).toEqual([403, null]);
      const { error } = (await refused.json()) as { error: { code: string; message: string } };
      expect(error).toMatchObject({ code: 'PERMISSION_DENIED', message: expect.stringContaining('`allowedOrigins`') });
    }
    const asSdk = surfaceOf(fixture().baseUrl, '/api/v1/sdk', () => ({ Authorization: `Bearer ${key}` }));
    expect(await expectData(asSdk.post('/transaction', SALE))).toMatchObject({ Status: 'approved' });
  });

  test('a key admits exactly its own origins, until they are removed or the key is revoked', async () => {
    const { api } = fixture();
    const [origin, other] = [newOrigin(), newOrigin()];
    const { id, key } = await keyWith([`${origin.toUpperCase().replace('HTTPS', 'https')}/`]);
    const another = await keyWith([other]);
    const asked = await preflight(origin);
    expect([asked.status, allowedBy(asked), asked.headers.get('vary')]).toEqual([204, origin, 'Origin']);
    expect(asked.headers.get('access-control-allow-headers')).toContain('Authorization');
    expect(asked.headers.get('access-control-allow-credentials')).toBeNull();
    const sold = await sell(origin, key);
    expect([sold.status, allowedBy(sold), sold.headers.get('vary')]).toEqual([200, origin, 'Origin']);
    expect(sold.headers.get('access-control-expose-headers')).toContain('X-Request-ID');
    for (const [from, credential] of [
      [other, key],
      [origin, another.key],
      [origin, 'pk_sandbox_wrong'],
    ] as const)
      expect(allowedBy(await sell(from, credential))).toBeNull();

    const { adminPassword: currentPassword } = api;
    await expectData(api.admin.put(`/api-keys/${id}`, { allowedOrigins: [], currentPassword }));
    expect([(await preflight(origin)).status, (await sell(origin, key)).status]).toEqual([403, 403]);
    expect((await preflight(other)).status).toBe(204);
    await expectData(api.admin.delete(`/api-keys/${another.id}`));
    expect((await preflight(other)).status).toBe(403);
  });

  test('no other surface is open to pages of these origins', async () => {
    const { baseUrl } = fixture();
    const origin = newOrigin();
    const { key } = await keyWith([origin]);
    for (const path of ['/api/v1/public/transactions', '/api/v1/transactions', '/health', '/docs']) {
      const asked = await preflight(origin, path);
      const called = await fetch(baseUrl + path, { headers: { origin, 'x-api-key': key } });
      expect([asked.status, called.status, allowedBy(asked), allowedBy(called)]).toEqual([400, 400, null, null]);
    }
  });

  test('answers a browser that asks for a server on this computer', async () => {
    const origin = newOrigin();
    await keyWith([origin]);
    const asked = await preflight(origin, undefined, { 'access-control-request-private-network': 'true' });
    expect(asked.headers.get('access-control-allow-private-network')).toBe('true');
  });

  test('only those who manage API keys can set origins, after their password, and the audit log shows it', async () => {
    const { api } = fixture();
    const { id } = await keyWith();
    const change = { allowedOrigins: ['https://shop.example'] };
    for (const role of ['cashier', 'manager']) {
      const { headers, password } = await createUser(fixture(), role);
      await expectError(
        api.bare.put(`/api/v1/api-keys/${id}`, { ...change, currentPassword: password }, headers),
        403,
        'PERMISSION_DENIED',
      );
    }
    await expectError(api.admin.put(`/api-keys/${id}`, { ...change, currentPassword: 'wrong' }), 400, 'VALIDATION_ERROR');
    const { adminPassword: currentPassword } = api;
    const bad = await expectError(
      api.admin.put(`/api-keys/${id}`, { allowedOrigins: ['shop.example'], currentPassword }),
      400,
      'VALIDATION_ERROR',
    );
    expect(bad).toMatchObject({ field: 'allowedOrigins', message: expect.stringContaining('https://shop.example') });
    await expectData(api.admin.put(`/api-keys/${id}`, { ...change, currentPassword }));
    const [entry] = await expectData(api.admin.get<{ after: Key }[]>(`/audit-logs?resource=api-keys/${id}&limit=1`));
    expect(entry).toMatchObject({ action: 'api_key.updated', after: change });
  });
});
