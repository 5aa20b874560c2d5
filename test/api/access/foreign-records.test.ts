import { expect, test } from 'vitest';
import { createUser, signInAs } from '../../support/people.ts';
import { type ApiFixture, describeOnAnyDatabase } from '../../support/server.ts';
import { newMerchant } from '../../support/settlements.ts';

interface Operation {
  readonly 'x-permission'?: string;
  readonly 'x-scope'?: string;
}

interface RecordRoute {
  readonly method: 'GET' | 'DELETE';
  readonly path: string;
  readonly scope: string;
  /** The address of an existing record of the demo tenant. */
  readonly url: string;
}

/** Returns the ID of a listed record: its `id`, or its first field whose name ends in `Id`. */
function idOf(record: Record<string, unknown>): string | undefined {
  const id = record.id ?? Object.entries(record).find(([name, value]) => /Id$/.test(name) && typeof value === 'string')?.[1];
  return typeof id === 'string' ? id : undefined;
}

/** Returns the GET and DELETE routes below a list of the admin surface, each with a record of that list. */
async function recordRoutes({ api }: ApiFixture): Promise<RecordRoute[]> {
  const document = JSON.parse((await api.bare.get('/openapi.json')).text) as { paths: Record<string, Record<string, Operation>> };
  const ids = new Map<string, string | undefined>();
  const routes: RecordRoute[] = [];
  for (const [path, methods] of Object.entries(document.paths)) {
    const list = path.slice(0, path.indexOf('/{'));
    if (!path.includes('/{') || /\/(public|sdk)\//.test(path) || !document.paths[list]?.get) continue;
    if (!ids.has(list)) {
      const { status, text } = await api.admin.get(list.replace('/api/v1', ''));
      const data: unknown = status === 200 ? JSON.parse(text).data : undefined;
      // Built-in roles, whose IDs are their names, exist in every account.
      ids.set(list, Array.isArray(data) ? data.map(idOf).find((id) => id?.includes('_')) : undefined);
    }
    const id = ids.get(list);
    if (id === undefined) continue;
    const url = path.replace(/\{\w+\}/, id).replaceAll(/\{\w+\}/g, 'x');
    for (const method of ['GET', 'DELETE'] as const) {
      const { 'x-permission': permission, 'x-scope': scope = '' } = methods[method.toLowerCase()] ?? {};
      if (permission) routes.push({ method, path, scope, url });
    }
  }
  return routes;
}

describeOnAnyDatabase('records of others', (fixture) => {
  /** Returns the routes that answer anything but "not yours" or "not there". */
  async function opened(routes: readonly RecordRoute[], headers: Record<string, string>): Promise<string[]> {
    const { api } = fixture();
    const open: string[] = [];
    for (const { method, path, url } of routes) {
      const { status } = await (method === 'GET' ? api.bare.get(url, headers) : api.bare.delete(url, headers));
      // A removal that requires a password in its body is refused for the body first.
      if (status !== 403 && status !== 404 && !(method === 'DELETE' && status === 400)) open.push(`${method} ${path}: ${status}`);
    }
    return open;
  }

  test('an owner of another account reaches no record by its ID, whatever the route', async () => {
    const { standardTenantId, standardAdminEmail, standardAdminPassword } = fixture().credentials;
    const { token } = await signInAs(fixture(), standardAdminEmail, standardAdminPassword, standardTenantId);
    const routes = (await recordRoutes(fixture())).filter(({ scope }) => scope !== 'caller' && scope !== 'installation');
    expect(routes.length).toBeGreaterThan(20);
    expect(await opened(routes, { 'X-Tenant-ID': standardTenantId, Authorization: `Bearer ${token}` })).toEqual([]);
  });

  test('an admin of one merchant reaches no record of another merchant by its ID, whatever the route', async () => {
    const routes = (await recordRoutes(fixture())).filter(({ scope }) => scope === 'merchant');
    const { headers } = await createUser(fixture(), 'admin', {}, await newMerchant(fixture()));
    expect(routes.length).toBeGreaterThan(20);
    expect(await opened(routes, headers)).toEqual([]);
  });
});
