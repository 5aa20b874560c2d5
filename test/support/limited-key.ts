import { type Surface, surfaceOf } from './api-client.ts';
import { type ApiFixture, expectData } from './server.ts';

interface LimitedKey {
  /** The Public surface with the key. */
  readonly asKey: Surface;
  /** Returns the amount that the key has moved today. */
  readonly moved: () => Promise<number | undefined>;
}

/** Creates an API key of a merchant with spending limits. */
export async function createLimitedKey({ api, baseUrl, credentials }: ApiFixture, merchantId: string, limits: object): Promise<LimitedKey> {
  const { adminPassword: currentPassword } = api;
  const spendingLimits = { currency: 'USD', ...limits };
  const body = { name: 'agent', scope: 'merchant', merchantId, spendingLimits, currentPassword };
  const { id, key } = await expectData(api.admin.post<{ id: string; key: string }>('/api-keys', body), 201);
  const asKey = surfaceOf(baseUrl, '/api/v1/public', () => ({ 'X-Tenant-ID': credentials.tenantId, 'x-api-key': key }));
  const read = () => api.admin.get<{ spendingLimits: { movedToday: number } | null }>(`/api-keys/${id}`);
  return { asKey, moved: async () => (await expectData(read())).spendingLimits?.movedToday };
}
