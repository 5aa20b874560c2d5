import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { openSandboxLedger } from '#core/processing/gateways';
import { MODES } from '../../../core/processing/gateways/sandbox/ledger.ts';
import { freshDatabase } from '../../support/postgres.ts';
import { cardBody } from '../../support/sales.ts';
import { apiOf, expectData, FULL, startTestServer } from '../../support/server.ts';
import { recordStatements, TenantStatementChecker } from '../../support/tenant-statements.ts';

/** Statements that concern several tenants by their purpose (docs/citus.md, "Statements across tenants"). */
const ACROSS_TENANTS: readonly RegExp[] = [
  // Lookups by callers whose tenant is not known yet, and questions about the installation.
  /^SELECT .* FROM users WHERE email = \$1/,
  /^SELECT .* FROM sessions WHERE id = \$1/,
  /^SELECT .* FROM api_keys WHERE hash = \$1/,
  /^SELECT .* FROM signing_keys WHERE id = \$1/,
  /^SELECT .* FROM tenants WHERE environment = \$1/,
  /^select .* from "tenants"/,
  /^select "id" from "backup_schedules" where "tenant_id" <> \$1/,
  /^select "resumed_at" from "restores"$/,
  // Work left by other processes, and the outages that they published, at the start.
  /^select .* from "connectivity_states"$/,
  /^select distinct "tenant_id" from "transactions" where "save_consent" is not null/,
  /^select "tenant_id", "id" from "(subscriptions|installment_plans)" where "idempotency_key" is not null/,
  // The scheduler's checks of all tenants, and its search for claims of servers that have ended.
  /^SELECT t\.id AS tenant_id, \(SELECT d\.due_ms FROM /,
  /^SELECT l\.tenant_id, l\.lane, .* FROM \(SELECT tenant_id, \w+ AS lane FROM \w+\) AS l$/,
  /^SELECT DISTINCT fence \/ \d+ AS number FROM /,
];

const SALE = { Amount: '30.00', CardNumber: '4111111111111111', ExpiryMonth: '12', ExpiryYear: '2030', CVV: '123' };

interface Operation {
  readonly 'x-permission'?: string;
}

let address: string;
let client: Client;
let checker: TenantStatementChecker;
const ends: (() => unknown)[] = [];

beforeAll(async () => {
  const fresh = await freshDatabase(inject('migrated').template);
  address = fresh.url;
  ends.push(fresh.drop);
  client = new Client({ connectionString: address });
  await client.connect();
  ends.push(() => client.end());
  // With this view of Citus, the service writes as on a distributed database.
  await client.query('CREATE VIEW citus_tables AS SELECT 1');
  checker = new TenantStatementChecker(client);
});
afterAll(async () => {
  for (const end of ends.reverse()) await end();
});

/** Runs the service with the sample business, sales of two tenants at the same time, and every list of the API. */
async function useService(): Promise<void> {
  const { server, stop } = await startTestServer('postgres', { databaseUrl: address, sampleData: 'business' });
  try {
    if (!server.credentials) throw new Error('a server with a demo has credentials');
    const api = apiOf(server.baseUrl, server.credentials);
    await Promise.all(
      Array.from({ length: 20 }, () => [
        expectData(api.admin.post('/transactions', cardBody(30))),
        expectData(api.standard.post('/transaction', SALE)),
      ]).flat(),
    );
    const { paths } = JSON.parse((await api.bare.get('/openapi.json')).text) as { paths: Record<string, { get?: Operation }> };
    for (const [path, { get }] of Object.entries(paths)) {
      const isList = get?.['x-permission'] && /^\/api\/v1\/(?!public|sdk|changes)[^{]*$/.test(path);
      if (isList) await api.admin.get(path.slice('/api/v1'.length));
    }
  } finally {
    await stop();
  }
}

describe('statements of the service on a distributed PostgreSQL', FULL, () => {
  test('name the tenant of every table as a constant, except across tenants', async () => {
    const recorder = recordStatements();
    ends.push(recorder.stop);
    await useService();
    await checker.load();
    const texts = [...recorder.texts].filter((text) => !ACROSS_TENANTS.some((known) => known.test(text)));
    expect(texts.length).toBeGreaterThan(250);
    const found: Record<string, readonly string[]> = {};
    for (const text of texts) {
      const faults = await checker.faultsOf(text);
      if (faults.length > 0) found[text] = faults;
    }
    expect(found).toEqual({});
  }, 240_000);

  test('insert the rows of two tenants that arrive together into the ledger of the sandbox processor one tenant at a time', async () => {
    const ledger = await openSandboxLedger({ url: address });
    ends.push(() => ledger.close());
    const recorder = recordStatements();
    ends.push(recorder.stop);
    const modes = Array.from({ length: 40 }, (_, n) => ({ tenant_id: `ten_${n % 2}`, gateway_id: `gtw_${n}`, mode: 'down' }));
    await Promise.all(modes.map((row) => ledger.unitOfWork.writeBatch(row.tenant_id, (batch) => batch.insert(MODES, row))));
    recorder.stop();
    await checker.load();
    const inserts = [...recorder.texts].filter((text) => text.startsWith('INSERT INTO sandbox_modes'));
    expect(inserts.length).toBeGreaterThan(0);
    for (const text of inserts) expect(await checker.faultsOf(text)).toEqual([]);
  });

  test.each([
    ['SELECT id FROM refunds WHERE id = $1', 'reads refunds without the tenant'],
    [
      'SELECT r.id FROM transactions t JOIN refunds r ON r.transaction_id = t.id WHERE t.tenant_id = $1',
      'reads refunds without the tenant',
    ],
    [
      'UPDATE refunds t SET status = v.s FROM unnest($1::text[], $2::text[], $3::text[]) AS v(a, b, s) WHERE t.tenant_id = v.a AND t.id = v.b',
      'reads refunds without the tenant',
    ],
    ['UPDATE refunds SET reason = clock_timestamp()::text WHERE tenant_id = $1', 'calls clock_timestamp()'],
    [
      'INSERT INTO short_links (tenant_id, code) SELECT * FROM unnest($1::text[], $2::text[])',
      'inserts rows of any tenant into short_links',
    ],
  ])('are refused otherwise: %s', async (text, fault) => {
    await checker.load();
    expect(await checker.faultsOf(text)).toEqual([fault]);
  });

  test('are accepted with a constant that follows from a join', async () => {
    await checker.load();
    const joined = 'FROM transactions t JOIN refunds r ON r.tenant_id = t.tenant_id AND r.transaction_id = t.id WHERE t.tenant_id = $1';
    expect(await checker.faultsOf(`SELECT r.id ${joined}`)).toEqual([]);
  });
});
