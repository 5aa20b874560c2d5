import { afterAll, expect, test } from 'vitest';
import { ROLES } from '#core/access/identity';
import { sendRequest } from '../../support/api-client.ts';
import {
  ANY_DATABASE,
  type ApiFixture,
  apiOf,
  DATABASES,
  type DatabaseKind,
  expectData,
  FULL,
  startTestServer,
} from '../../support/server.ts';
import { createUser, signInAs } from '../../support/users.ts';

type Method = 'get' | 'post' | 'put' | 'delete';
interface Operation {
  readonly security: readonly Record<string, unknown>[];
  readonly 'x-permission'?: string;
  readonly 'x-scope'?: string;
  readonly 'x-export-permission'?: string;
}
type Sent = Record<string, string>;

/** An owner acts for every merchant; a user with any other role can be bound to one. */
const BOUND_ROLES = Object.keys(ROLES).filter((role) => role !== 'owner');
const boundColumn = (role: string) => `${role} of one merchant`;
/** Merchant-bound users are compared on SQLite only, because their scope is checked before the database is queried. */
const isAsked = (caller: string, database: DatabaseKind) => database === 'sqlite' || !BOUND_ROLES.map(boundColumn).includes(caller);

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

/** Returns `in` if a caller passes the checks of credential, permission and scope, whatever the operation answers; otherwise the code. */
async function outcomeOf(baseUrl: string, method: Method, path: string, headers: Sent): Promise<string> {
  const body = method === 'post' || method === 'put' ? '{broken' : undefined;
  const answer = await sendRequest(baseUrl + path.replace(/\{\w+\}/g, 'x'), {
    method: method.toUpperCase(),
    headers: { ...headers, 'X-Forwarded-For': nextAddress(), ...(body ? { 'Content-Type': 'application/json' } : {}) },
    body,
  });
  if (answer.status !== 401 && answer.status !== 403) return 'in';
  const { code } = (JSON.parse(answer.text) as { error: { code: string } }).error;
  return code === 'RESOURCE_ACCESS_DENIED' ? 'in' : code;
}

/** The operations with a credential, as the OpenAPI document declares them. */
async function operationsOf(fixture: ApiFixture) {
  const document = JSON.parse((await fixture.api.bare.get('/openapi.json')).text) as { paths: Record<string, Record<Method, Operation>> };
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    (Object.entries(methods) as [Method, Operation][])
      .filter(([, operation]) => operation['x-permission'] !== undefined)
      .map(([method, operation]) => ({ method, path, operation })),
  );
}

/**
 * Returns the outcome that the declaration of an operation promises a caller: `in` past the checks of credential, permission and scope, else the
 * code of the refusal.
 */
function promised(caller: string, method: Method, surface: string, operation: Operation): string {
  const { 'x-permission': permission = '', 'x-export-permission': exports = permission, 'x-scope': scope = '', security } = operation;
  if (caller === 'nobody') return surface === 'sdk' ? 'UNAUTHORIZED' : 'TENANT_REQUIRED';
  if (caller === 'wrong credential') return surface === 'admin' ? 'TOKEN_INVALID' : 'UNAUTHORIZED';
  if (caller === "other tenant's") return surface === 'admin' ? 'FORBIDDEN' : 'UNAUTHORIZED';
  if (caller === 'service key') return security.some((entry) => 'serviceKey' in entry) ? 'in' : 'UNAUTHORIZED';
  if (caller === 'client token') return security.some((entry) => 'clientToken' in entry) ? 'in' : 'UNAUTHORIZED';
  // The keys of the sample data have every permission of the public and the SDK surface.
  const role = ROLES[caller.split(' ')[0] as keyof typeof ROLES] as readonly string[] | undefined;
  const required = [permission, exports].filter((each) => each !== 'session');
  if (role && !required.every((each) => role.includes(each))) return 'PERMISSION_DENIED';
  const isBound = caller === 'merchant key' || caller.endsWith('of one merchant');
  const isTenantWideChange = method !== 'get' && (scope === 'tenant' || scope === 'installation');
  return isBound && isTenantWideChange ? 'MERCHANT_NOT_AUTHORIZED' : 'in';
}

const stopping: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const stop of stopping) await stop();
});

/** Number of callers with the same promised outcome that are asked per operation if not all are. */
const CALLERS_PER_OUTCOME = 2;

/** Returns a part of the callers, another one for each operation, with some for each outcome that its declaration promises. */
function someOf<Caller>(callers: readonly Caller[], promisedTo: (caller: Caller) => string, index: number): Caller[] {
  const byOutcome = [...Map.groupBy(callers, promisedTo).values()];
  return byOutcome.flatMap((same) => {
    const start = (index * CALLERS_PER_OUTCOME) % same.length;
    return [...same, ...same].slice(start, start + Math.min(CALLERS_PER_OUTCOME, same.length));
  });
}

async function expectOutcomes(database: DatabaseKind, asksAll: boolean): Promise<void> {
  const { server, stop } = await startTestServer(database, { trustedProxy: 'loopback' }, 'small');
  stopping.push(stop);
  const { baseUrl, credentials } = server;
  if (credentials === undefined) throw new Error('The server has demo credentials.');
  const fixture: ApiFixture = { database, baseUrl, credentials, api: apiOf(baseUrl, credentials) };
  const asking = Object.entries(await callers(fixture)).filter(([caller]) => isAsked(caller, database));
  const operations = await operationsOf(fixture);
  expect(operations.length).toBeGreaterThan(400);
  const differences: string[] = [];
  for (const [index, { method, path, operation }] of operations.entries()) {
    const surface = surfaceOf(path);
    const able = asking.flatMap(([caller, headersOn]) => {
      const headers = headersOn(surface);
      return headers === null ? [] : [{ caller, headers, expected: promised(caller, method, surface, operation) }];
    });
    const compare = async ({ caller, headers, expected }: (typeof able)[number]) => {
      const answered = await outcomeOf(baseUrl, method, path, headers);
      if (answered !== expected) differences.push(`${method.toUpperCase()} ${path}, ${caller}: ${answered} instead of ${expected}`);
    };
    await Promise.all((asksAll ? able : someOf(able, ({ expected }) => expected, index)).map(compare));
  }
  expect(differences).toEqual([]);
}

test.each(ANY_DATABASE)('answers callers of every outcome on every route as its declaration says (%s)', (database) =>
  expectOutcomes(database, false),
);

test.each(DATABASES)('answers every kind of caller on every route as its declaration says (%s)', FULL, (database) =>
  expectOutcomes(database, true),
);
