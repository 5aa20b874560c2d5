import type { Database, TableShape } from '#core/database';
import type { DueRow, Job } from './job.ts';
import { CLAIM_FENCE } from './takeover.ts';

/** A lane with the due time of its first free row. */
export interface LaneDue {
  readonly tenant_id: string;
  readonly lane: string;
  readonly due_ms: number | null;
}

/** Statements of the scheduler for a job's table, built once. */
export interface ClaimStatements {
  readonly firstDueByLane: string;
  readonly claim: string;
  readonly claimOne: string;
  readonly release: string;
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
  const free = `d.due_ms IS NOT NULL AND d.lease_ms <= ${nowSql}`;
  const ofLane = (lane: string) => (job.lane ? `${inLane}${lane}` : '');
  const claimed = `UPDATE ${name} SET lease_ms = ${nowSql} + ${job.leaseMs}, fence = ${CLAIM_FENCE}`;
  const lock = database.kind === 'postgres' ? 'FOR UPDATE SKIP LOCKED' : '';
  const returning = `RETURNING ${columns.join(', ')}`;
  return {
    firstDueByLane: `SELECT l.tenant_id, l.lane, (SELECT d.due_ms FROM ${name} d WHERE d.tenant_id = l.tenant_id ${ofLane('l.lane')} AND ${free} ORDER BY d.due_ms LIMIT 1) AS due_ms FROM (${lanes}) AS l`,
    // Materialized: a subquery that PostgreSQL runs more than once would claim more rows than its limit.
    claim: `WITH due AS MATERIALIZED (SELECT d.id FROM ${name} d WHERE d.tenant_id = :tenantId ${ofLane(':lane')} AND ${free} AND d.due_ms <= :dueBy ORDER BY d.due_ms, d.id LIMIT :room ${lock}) ${claimed} WHERE tenant_id = :tenantId AND id IN (SELECT id FROM due) ${returning}`,
    claimOne: `${claimed} WHERE tenant_id = :tenantId AND id = :id AND due_ms IS NOT NULL AND due_ms <= :dueBy AND lease_ms <= ${nowSql} ${returning}`,
    release: `UPDATE ${name} SET lease_ms = 0 WHERE lease_ms > 0`,
  };
}
