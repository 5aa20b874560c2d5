import BetterSqlite3 from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EVERY_TENANT } from '#core/access/identity';
import type { Table } from '#core/database';
import { INSTALLMENT_PLANS } from '../../../core/billing/installments/schema.ts';
import { INVOICES } from '../../../core/billing/invoicing/schema.ts';
import { SUBSCRIPTIONS } from '../../../core/billing/recurring/schema.ts';
import { claimStatements } from '../../../core/platform/scheduling/claims.ts';
import type { DueRow, Job } from '../../../core/platform/scheduling/job.ts';
import { MESSAGE_CHANNELS, MESSAGES } from '../../../core/records/notifications/schema.ts';
import { DELIVERIES, ENDPOINTS } from '../../../core/records/webhooks/schema.ts';
import { openTestDatabase, type TestDatabase } from '../../support/databases.ts';

let opened: TestDatabase;
beforeAll(async () => {
  opened = await openTestDatabase('sqlite');
});
afterAll(() => opened.close());

/** Returns the steps of the plan of a claim. */
function stepsOf<Row extends DueRow>(table: Table<Row>, lane?: Job<Row>['lane']): string[] {
  const { claim } = claimStatements(opened.database, { table, leaseMs: 1_000, ...(lane && { lane }) }, EVERY_TENANT);
  const connection = new BetterSqlite3(opened.place, { readonly: true });
  const steps = connection.prepare(`EXPLAIN QUERY PLAN ${claim}`).all({ tenantId: 'ten_1', lane: '', dueBy: 1, room: 24, holder: 0 });
  connection.close();
  return (steps as { detail: string }[]).map(({ detail }) => detail);
}

test.each([
  ['subscriptions', () => stepsOf(SUBSCRIPTIONS)],
  ['invoices', () => stepsOf(INVOICES)],
  ['installment_plans', () => stepsOf(INSTALLMENT_PLANS)],
  ['webhook_deliveries', () => stepsOf(DELIVERIES, { column: 'endpoint_id', of: ENDPOINTS, key: 'id', concurrency: 1 })],
  ['messages', () => stepsOf(MESSAGES, { column: 'channel', of: MESSAGE_CHANNELS, key: 'channel', concurrency: 1 })],
] as const)('a claim of %s, many of which may be due at one time, sorts none', (name, steps) => {
  expect(steps()).toContainEqual(expect.stringMatching(`${name}_due \\(tenant_id=\\? AND (\\w+=\\? AND )?due_ms`));
  expect(steps().filter((step) => step.includes('ORDER BY'))).toEqual([]);
});
