import { expect, type Service } from '../fixtures.ts';

/** What the merchant does at its desk while a payer is on a page: through the API, as the demo's administrator. */
export interface Desk {
  /** Changes a settings object of the demo's own merchant. */
  change(section: 'branding' | 'settings' | 'vt-settings', fields: object): Promise<void>;
  revokeKey(id: string): Promise<void>;
}

const known = new Map<string, Promise<Desk>>();

/** One sign-in serves all tests of a worker: sign-ins are limited by address. */
export function openDesk(service: Service): Promise<Desk> {
  const desk = known.get(service.baseUrl) ?? signIn(service);
  known.set(service.baseUrl, desk);
  return desk;
}

async function signIn({ baseUrl, tenantId, adminEmail: email, adminPassword: password }: Service): Promise<Desk> {
  const ask = async <Data>(method: string, path: string, headers: Record<string, string>, body?: object): Promise<Data> => {
    const all = { 'content-type': 'application/json', 'x-tenant-id': tenantId, ...headers };
    const answer = await fetch(`${baseUrl}/api/v1${path}`, { method, headers: all, body: body && JSON.stringify(body) });
    expect(answer.status).toBe(200);
    return ((await answer.json()) as { data: Data }).data;
  };
  const { token } = await ask<{ token: string }>('POST', '/auth/login', {}, { email, password });
  const headers = { authorization: `Bearer ${token}` };
  // The demo's own merchant is the first that was made; lists begin with the newest.
  const merchants = await ask<{ merchantId: string }[]>('GET', '/merchants?limit=200', headers);
  const { merchantId } = merchants.at(-1) ?? {};
  return {
    change: async (section, fields) => void (await ask('PUT', `/merchants/${merchantId}/${section}`, headers, fields)),
    revokeKey: async (id) => void (await ask('DELETE', `/api-keys/${id}`, headers, {})),
  };
}
