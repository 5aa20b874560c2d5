import { expect, type Service } from '../fixtures.ts';

/** API of the merchant as the demo's administrator, for changes while a payer is on a page. */
interface MerchantApi {
  /** Changes a settings object of the demo's own merchant. */
  change(section: 'branding' | 'settings' | 'vt-settings' | 'amount-settings', fields: object): Promise<void>;
  /** Changes the profile. */
  profile(fields: object): Promise<void>;
  revokeKey(id: string): Promise<void>;
}

const known = new Map<string, Promise<MerchantApi>>();

/** One sign-in serves all tests of a worker: sign-ins are limited by address. */
export function openMerchantApi(service: Service): Promise<MerchantApi> {
  const merchantApi = known.get(service.baseUrl) ?? signIn(service);
  known.set(service.baseUrl, merchantApi);
  return merchantApi;
}

async function signIn({ baseUrl, tenantId, adminEmail: email, adminPassword: password }: Service): Promise<MerchantApi> {
  const ask = async <Data>(method: string, path: string, headers: Record<string, string>, body?: object): Promise<Data> => {
    const all = { 'content-type': 'application/json', 'x-tenant-id': tenantId, ...headers };
    const answer = await fetch(`${baseUrl}/api/v1${path}`, { method, headers: all, body: body && JSON.stringify(body) });
    expect(answer.status).toBe(200);
    return ((await answer.json()) as { data: Data }).data;
  };
  const { token } = await ask<{ token: string }>('POST', '/auth/login', {}, { email, password });
  const headers = { authorization: `Bearer ${token}` };
  // The demo's own merchant is the oldest one; lists begin with the newest.
  const merchants = await ask<{ merchantId: string }[]>('GET', '/merchants?limit=200', headers);
  const { merchantId } = merchants.at(-1) ?? {};
  return {
    change: async (section, fields) => void (await ask('PUT', `/merchants/${merchantId}/${section}`, headers, fields)),
    profile: async (fields) => void (await ask('PUT', `/merchants/${merchantId}`, headers, fields)),
    revokeKey: async (id) => void (await ask('DELETE', `/api-keys/${id}`, headers, {})),
  };
}
