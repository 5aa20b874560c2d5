import type { Database, TableShape } from '#core/database';
import type { DueRow, Job } from './job.ts';
import { CLAIM_FENCE } from './takeover.ts';

/** A lane with the due time of its first free row. */
export interface LaneDue {
  readonly tenant_id: string;
  readonly lane: string;
  readonly due_ms: number | null;
}

/** Due times of a tenant's first free row of each job, named by `jobColumn`. */
export type TenantDue = { readonly tenant_id: string } & Readonly<Record<string, number | string | null>>;

/** Statements of the scheduler for a job's table, built once. */
export interface ClaimStatements {
  /** Lanes of all tenants with their first due times. */
  readonly firstDueByLane: string;
  /** The same lanes of one tenant, which a distributed PostgreSQL reads on one node. */
  readonly firstDueOfTenant: string;
  readonly claim: string;
  readonly claimOne: string;
  readonly release: string;
}

const freeRow = ({ nowSql }: Database) => `d.due_ms IS NOT NULL AND d.lease_ms <= ${nowSql}`;

/** Name of the column with the first due time of a job, by its position among the jobs. */
export const jobColumn = (index: number): string => `due_${index}`;

/** Returns the SQL that reads for each tenant the first due time of every job, in one statement. @param tenants The table of all tenants. */
export function dueByTenantSql(database: Database, jobs: readonly { readonly table: TableShape }[], tenants: TableShape): string {
  const columns = jobs.map(
    ({ table }, index) =>
      `(SELECT d.due_ms FROM ${table.name} d WHERE d.tenant_id = t.id AND ${freeRow(database)} ORDER BY d.due_ms LIMIT 1) AS ${jobColumn(index)}`,
  );
  return `SELECT t.id AS tenant_id, ${columns.join(', ')} FROM ${tenants.name} t`;
}

/** @param tenants The table of all tenants. */
export function claimStatements<Row extends DueRow>(
  database: Database,
  job: Pick<Job<Row>, 'table' | 'lane' | 'leaseMs'>,
  tenants: TableShape,
): ClaimStatements {
  const { name, columns } = job.table;
  const { nowSql } = database;
  const lanes = job.lane
    ? `SELECT tenant_id, ${job.lane.key} AS lane FROM ${job.lane.of.name}`
    : `SELECT id AS tenant_id, '' AS lane FROM ${tenants.name}`;
  const inLane = job.lane ? `AND d.${job.lane.column} = ` : '';
  const free = freeRow(database);
  const ofLane = (lane: string) => (job.lane ? `${inLane}${lane}` : '');
  const claimed = `UPDATE ${name} SET lease_ms = ${nowSql} + ${job.leaseMs}, fence = ${CLAIM_FENCE}`;
  const lock = database.kind === 'postgres' ? 'FOR UPDATE SKIP LOCKED' : '';
  const returning = `RETURNING ${columns.join(', ')}`;
  const firstDue = (of: string, tenantId: string) =>
    `SELECT l.tenant_id, l.lane, (SELECT d.due_ms FROM ${name} d WHERE d.tenant_id = ${tenantId} ${ofLane('l.lane')} AND ${free} ORDER BY d.due_ms LIMIT 1) AS due_ms FROM (${of}) AS l`;
  return {
    firstDueByLane: firstDue(lanes, 'l.tenant_id'),
    firstDueOfTenant: firstDue(`${lanes} WHERE ${job.lane ? 'tenant_id' : 'id'} = :tenantId`, ':tenantId'),
    // Materialized: a subquery that PostgreSQL runs more than once would claim more rows than its limit.
    claim: `WITH due AS MATERIALIZED (SELECT d.id FROM ${name} d WHERE d.tenant_id = :tenantId ${ofLane(':lane')} AND ${free} AND d.due_ms <= :dueBy ORDER BY d.due_ms, d.id LIMIT :room ${lock}) ${claimed} WHERE tenant_id = :tenantId AND id IN (SELECT id FROM due) ${returning}`,
    claimOne: `${claimed} WHERE tenant_id = :tenantId AND id = :id AND due_ms IS NOT NULL AND due_ms <= :dueBy AND lease_ms <= ${nowSql} ${returning}`,
    release: `UPDATE ${name} SET lease_ms = 0 WHERE lease_ms > 0`,
  };
}
