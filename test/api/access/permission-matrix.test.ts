import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ROLES } from '#core/identity';
import { sendRequest } from '../../support/api-client.ts';
import { ANY_DATABASE, type ApiFixture, apiOf, type DatabaseKind, expectData, startTestServer } from '../../support/server.ts';
import { createUser, signInAs } from '../../support/users.ts';

const MATRIX = join(import.meta.dirname, '../../../docs/permission-matrix.md');
/** Set to write the file again; its changes must be reviewed before it is committed. */
const WRITES = process.env.PAYDESK_WRITE_MATRIX === '1';

type Method = 'get' | 'post' | 'put' | 'delete';
interface Operation {
  readonly security: readonly Record<string, unknown>[];
  readonly 'x-permission'?: string;
  readonly 'x-scope'?: string;
  readonly 'x-live-permission'?: string;
}
type Sent = Record<string, string>;

/** An owner acts for every merchant; a user with any other role can be bound to one. */
const BOUND_ROLES = Object.keys(ROLES).filter((role) => role !== 'owner');
const boundColumn = (role: string) => `${role} of one merchant`;
const BOUND_COLUMNS = BOUND_ROLES.map(boundColumn);

const COLUMNS = [
  'nobody',
  'wrong credential',
  "other tenant's",
  ...Object.keys(ROLES),
  ...BOUND_COLUMNS,
  'merchant key',
  'tenant key',
  'client token',
  'service key',
];

/** Merchant-bound users are compared on SQLite only, because their scope is checked before the database is queried. */
const columnsOn = (database: DatabaseKind) => (database === 'sqlite' ? COLUMNS : COLUMNS.filter((name) => !BOUND_COLUMNS.includes(name)));

const surfaceOf = (path: string) => (path.includes('/public/') ? 'public' : path.includes('/sdk/') ? 'sdk' : 'admin');

/** Every caller of the matrix with its credentials on a surface; null if it cannot call that surface. */
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
    const { headers } = await createUser(fixture, role, { allMerchants: true });
    byRole[role] = (surface) => (surface === 'admin' ? headers : null);
  }
  for (const role of BOUND_ROLES) {
    const { headers } = await createUser(fixture, role);
    byRole[boundColumn(role)] = (surface) => (surface === 'admin' ? headers : null);
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

let requests = 0;
/** Each request has its own client address, because wrong credentials are counted per address. */
function nextAddress(): string {
  requests += 1;
  return `10.${requests >> 16}.${(requests >> 8) & 255}.${requests & 255}`;
}

/** `in` if a caller passes the checks of credential and permission, whatever the rest of the response is; otherwise the code. */
async function cellOf(baseUrl: string, method: Method, path: string, headers: Sent | null): Promise<string> {
  if (headers === null) return '–';
  const body = method === 'post' || method === 'put' ? '{broken' : undefined;
  const answer = await sendRequest(baseUrl + path.replace(/\{\w+\}/g, 'x'), {
    method: method.toUpperCase(),
    headers: { ...headers, 'X-Forwarded-For': nextAddress(), ...(body ? { 'Content-Type': 'application/json' } : {}) },
    body,
  });
  return answer.status === 401 || answer.status === 403 ? (JSON.parse(answer.text) as { error: { code: string } }).error.code : 'in';
}

interface Row {
  readonly route: string;
  readonly permission: string;
  readonly scope: string;
  /** Outcomes by column. */
  readonly cells: Readonly<Record<string, string>>;
}

async function matrixOf(fixture: ApiFixture): Promise<Row[]> {
  const document = JSON.parse((await fixture.api.bare.get('/openapi.json')).text) as { paths: Record<string, Record<Method, Operation>> };
  const asking = await callers(fixture);
  const rows: Row[] = [];
  for (const [path, methods] of Object.entries(document.paths).sort(([left], [right]) => (left < right ? -1 : 1))) {
    for (const [method, operation] of Object.entries(methods) as [Method, Operation][]) {
      if (!operation['x-permission']) continue;
      const { 'x-permission': permission, 'x-live-permission': live, 'x-scope': scope = '' } = operation;
      const outcome = async (column: string) =>
        [column, await cellOf(fixture.baseUrl, method, path, asking[column]?.(surfaceOf(path)) ?? null)] as const;
      const cells = Object.fromEntries(await Promise.all(columnsOn(fixture.database).map(outcome)));
      const asked = live === undefined ? permission : `${permission}, live: ${live}`;
      rows.push({ route: `${method.toUpperCase()} ${path}`, permission: asked, scope, cells });
    }
  }
  return rows;
}

const HEAD = `# Permission matrix

The table lists every route that takes a credential, and the outcome for each kind of caller. \`in\` means that the request passes the credential,
scope and permission checks; otherwise the cell names the error code. A dash means that the caller cannot use the route's surface. Users act for every
merchant of the tenant, unless the column says "of one merchant".

**Permission.** The permissions of the built-in roles are in \`core/identity/roles.ts\`. The permissions of the \`owner\` area belong to the role
\`owner\` alone. "live:" names a further permission that a live account requires.

**Scope.** \`caller\`: the caller's own session, user or credential. \`merchant\`: one merchant or its records; the records of another merchant are
answered with MERCHANT_NOT_AUTHORIZED. \`tenant\`: the whole tenant; a merchant-bound caller cannot change anything with it. \`installation\`: as
\`tenant\`, and only the first tenant of the installation can change anything with it.

Records of others are not in the table: on every route with an identifier, in its path or in its body, a record of another tenant is answered like an unknown
one, and a record of another merchant with MERCHANT_NOT_AUTHORIZED. \`test/api/access/tenants.test.ts\` asks every such route, of all methods, with existing
records.

A test compares this table with the running server. To write the table again, run \`PAYDESK_WRITE_MATRIX=1 npx vitest run --project api matrix\`, then
\`npm run lint:fix\`.

`;

const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;

function tableOf(rows: readonly Row[], columns: readonly string[]): string {
  const head = ['Route', 'Permission', 'Scope', ...columns];
  const body = rows.map(({ route, permission, scope, cells }) =>
    line([route, permission, scope, ...columns.map((name) => cells[name] ?? '')]),
  );
  return [line(head), line(head.map(() => '---')), ...body].join('\n');
}

/** Reads the rows of the table in the document. */
function rowsIn(document: string): Row[] {
  const [head = [], , ...lines] = document
    .split('\n')
    .filter((text) => text.startsWith('|'))
    .map((text) =>
      text
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    );
  const columns = head.slice(3);
  return lines.map(([route = '', permission = '', scope = '', ...outcomes]) => ({
    route,
    permission,
    scope,
    cells: Object.fromEntries(columns.map((name, index) => [name, outcomes[index] ?? ''])),
  }));
}

const stopping: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const stop of stopping) await stop();
});

test.each(ANY_DATABASE)('answers every kind of caller on every route as the matrix says (%s)', async (database) => {
  const { server, stop } = await startTestServer(database, { trustedProxy: 'loopback' }, 'small');
  stopping.push(stop);
  const { baseUrl, credentials } = server;
  if (credentials === undefined) throw new Error('The server has demo credentials.');
  const fixture: ApiFixture = { database, baseUrl, credentials, api: apiOf(baseUrl, credentials) };
  const columns = columnsOn(fixture.database);
  const rows = await matrixOf(fixture);
  expect(rows.length).toBeGreaterThan(90);
  if (WRITES && fixture.database === 'sqlite') await writeFile(MATRIX, `${HEAD}${tableOf(rows, columns)}\n`);
  const document = await readFile(MATRIX, 'utf8');
  expect(document.startsWith(HEAD)).toBe(true);
  expect(tableOf(rows, columns)).toBe(tableOf(rowsIn(document), columns));
});

test('states a permission and a scope for every route that takes a credential', async () => {
  const rows = rowsIn(await readFile(MATRIX, 'utf8'));
  expect(rows.length).toBeGreaterThan(90);
  for (const { route, permission, scope, cells } of rows) {
    expect(permission, route).toMatch(/^(session|[a-z-]+:(read|write|refund|release|manage)|owner:[a-z]+)(, live: owner:[a-z]+)?$/);
    expect(scope, route).toMatch(/^(caller|merchant|tenant|installation)$/);
    expect(cells.nobody, route).toMatch(/^(TENANT_REQUIRED|UNAUTHORIZED)$/);
    expect(cells['wrong credential'], route).toMatch(/^(TOKEN_INVALID|UNAUTHORIZED)$/);
  }
});

test('refuses tenant-wide changes of merchant-bound users', async () => {
  const changes = rowsIn(await readFile(MATRIX, 'utf8')).filter(
    ({ route, scope }) => !route.startsWith('GET ') && (scope === 'tenant' || scope === 'installation'),
  );
  expect(changes.length).toBeGreaterThan(10);
  for (const { route, cells } of changes)
    for (const column of [...BOUND_COLUMNS, 'merchant key'])
      expect(cells[column], `${route}, ${column}`).toMatch(/^(MERCHANT_NOT_AUTHORIZED|PERMISSION_DENIED|–)$/);
});

test('admits only owners to routes with owner permissions', async () => {
  const owned = rowsIn(await readFile(MATRIX, 'utf8')).filter(({ permission }) => permission.startsWith('owner:'));
  expect(owned.length).toBeGreaterThan(8);
  for (const { route, cells } of owned) {
    expect(cells.owner, route).toBe('in');
    for (const column of COLUMNS.filter((name) => name !== 'owner')) expect(cells[column], `${route}, ${column}`).not.toBe('in');
  }
});
