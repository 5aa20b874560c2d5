import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROLES } from '#core/identity';
import { createUser, signInAs } from '../../support/people.ts';
import { type ApiFixture, DATABASES, expectData, onAnyDatabase } from '../../support/server.ts';

const MATRIX = join(import.meta.dirname, '../../../docs/permission-matrix.md');
/** Set to write the file anew; what changed in it is then to be read before it is kept. */
const WRITES = process.env.PAYDESK_WRITE_MATRIX === '1';

type Method = 'get' | 'post' | 'put' | 'delete';
interface Operation {
  readonly security: readonly Record<string, unknown>[];
  readonly 'x-permission'?: string;
}
type Sent = Record<string, string>;

const COLUMNS = [
  'nobody',
  'wrong credential',
  "other tenant's",
  ...Object.keys(ROLES),
  'merchant key',
  'tenant key',
  'client token',
  'service key',
] as const;

const surfaceOf = (path: string) => (path.includes('/public/') ? 'public' : path.includes('/sdk/') ? 'sdk' : 'admin');

/** Every caller of the matrix with what it sends on a surface; null where it cannot ask there at all. */
async function callers(fixture: ApiFixture): Promise<Record<string, (surface: string) => Sent | null>> {
  const { credentials, api } = fixture;
  const { tenantId, standardTenantId, standardApiKey, standardAdminEmail, standardAdminPassword, apiKey, tenantApiKey } = credentials;
  const tenant = { 'X-Tenant-ID': tenantId };
  const foreign = await signInAs(fixture, standardAdminEmail, standardAdminPassword, standardTenantId);
  const { clientToken } = await expectData(api.public.post<{ clientToken: string }>('/client-token', {}));
  const keys =
    (key: string) =>
    (surface: string): Sent | null =>
      surface === 'public' ? { ...tenant, 'x-api-key': key } : surface === 'sdk' ? { Authorization: `Bearer ${key}` } : null;
  const byRole: Record<string, (surface: string) => Sent | null> = {};
  for (const role of Object.keys(ROLES)) {
    const { headers } = await createUser(fixture, role);
    byRole[role] = (surface) => (surface === 'admin' ? headers : null);
  }
  return {
    nobody: () => ({}),
    'wrong credential': (surface) =>
      surface === 'public' ? { ...tenant, 'x-api-key': 'pk_sandbox_wrong' } : { ...tenant, Authorization: 'Bearer wrong' },
    "other tenant's": (surface) =>
      surface === 'admin'
        ? { ...tenant, Authorization: `Bearer ${foreign.token}` }
        : surface === 'public'
          ? { ...tenant, 'x-api-key': standardApiKey }
          : null,
    ...byRole,
    'merchant key': keys(apiKey),
    'tenant key': keys(tenantApiKey),
    'client token': (surface) => (surface === 'public' ? { ...tenant, 'x-client-token': clientToken } : null),
    'service key': (surface) => (surface === 'admin' ? { ...tenant, 'x-internal-service-key': credentials.internalServiceKey } : null),
  };
}

/** `in` where a caller gets past the credential and the permission, whatever is said of the request then; else the code. */
async function cellOf(baseUrl: string, method: Method, path: string, headers: Sent | null): Promise<string> {
  if (headers === null) return '–';
  const stop = new AbortController();
  const body = method === 'post' || method === 'put' ? '{broken' : undefined;
  const response = await fetch(baseUrl + path.replace(/\{\w+\}/g, 'x'), {
    method: method.toUpperCase(),
    headers: { ...headers, ...(body ? { 'Content-Type': 'application/json' } : {}) },
    body,
    signal: stop.signal,
  });
  const refused = response.status === 401 || response.status === 403;
  const code = refused ? ((await response.json()) as { error: { code: string } }).error.code : 'in';
  // A stream of changes goes on until it is let go.
  stop.abort();
  return code;
}

async function matrixOf(fixture: ApiFixture): Promise<string[]> {
  const document = JSON.parse((await fixture.api.bare.get('/openapi.json')).text) as { paths: Record<string, Record<Method, Operation>> };
  const asking = await callers(fixture);
  const rows: string[] = [];
  for (const [path, methods] of Object.entries(document.paths).sort(([left], [right]) => (left < right ? -1 : 1))) {
    for (const [method, operation] of Object.entries(methods) as [Method, Operation][]) {
      if (!operation['x-permission']) continue;
      const cells: string[] = [];
      for (const column of COLUMNS) cells.push(await cellOf(fixture.baseUrl, method, path, asking[column]?.(surfaceOf(path)) ?? null));
      rows.push(`| ${method.toUpperCase()} ${path} | ${operation['x-permission']} | ${cells.join(' | ')} |`);
    }
  }
  return rows;
}

const HEAD = `# Who may ask for what

Every route that takes a credential, and what each kind of caller is answered: \`in\` where it gets past credential and permission, else the error
code; a dash where the caller cannot ask on that surface. A caller of one merchant gets MERCHANT_NOT_AUTHORIZED for whatever belongs to another.
The permissions of the built-in roles are in \`core/identity/roles.ts\`. A test walks every route of \`/openapi.json\` and holds this table to it on both
databases; \`PAYDESK_WRITE_MATRIX=1 npx vitest run --project api matrix\`, then \`npm run lint:fix\`, writes it anew.

| Route | Permission | ${COLUMNS.join(' | ')} |
| --- | --- | ${COLUMNS.map(() => '---').join(' | ')} |
`;

/** A table as its cells have it, however its columns are aligned. */
const unpadded = (text: string) => text.replace(/ +/g, ' ').replace(/-{3,}/g, '---');

onAnyDatabase('every route answers every kind of caller as the matrix says', async (fixture) => {
  const rows = await matrixOf(fixture);
  expect(rows.length).toBeGreaterThan(90);
  if (WRITES && fixture.database === 'sqlite') await writeFile(MATRIX, `${HEAD}${rows.join('\n')}\n`);
  expect(unpadded(`${HEAD}${rows.join('\n')}\n`)).toBe(unpadded(await readFile(MATRIX, 'utf8')));
});

test('every route names its permission, or takes no credential at all', async () => {
  expect(DATABASES).toHaveLength(2);
  const lines = (await readFile(MATRIX, 'utf8')).split('\n').filter((line) => /^\| (GET|POST|PUT|DELETE) /.test(line));
  for (const line of lines) {
    const [, , permission = '', nobody = '', wrong = ''] = line.split('|').map((cell) => cell.trim());
    expect(permission, line).toMatch(/^(session|[a-z-]+:(read|write))$/);
    expect(nobody, line).toMatch(/^(TENANT_REQUIRED|UNAUTHORIZED)$/);
    expect(wrong, line).toMatch(/^(TOKEN_INVALID|UNAUTHORIZED)$/);
  }
});
