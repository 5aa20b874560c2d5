import type { Database, Table, Work } from '#core/database';
import type { DueRow } from './job.ts';
import { CLAIM_FENCE, holderOf } from './takeover.ts';

/**
 * Claims a row in the caller's unit of work, with the lease and the fence that the scheduler uses, so that no other server works on it. Returns the
 * claimed row; null if it does not exist or is claimed already.
 */
export async function claimRow<Row extends DueRow>(
  database: Pick<Database, 'nowSql' | 'presence'>,
  work: Work,
  table: Table<Row>,
  id: string,
  leaseMs: number,
): Promise<Row | null> {
  const { nowSql } = database;
  const claimed = await work.run(
    `UPDATE ${table.name} SET lease_ms = ${nowSql} + ${leaseMs}, fence = ${CLAIM_FENCE} WHERE tenant_id = :tenantId AND id = :id AND lease_ms <= ${nowSql}`,
    { id, holder: holderOf(database) },
  );
  if (claimed === 0) return null;
  const [row] = await work.all<Row>(`SELECT ${table.columns.join(', ')} FROM ${table.name} WHERE tenant_id = :tenantId AND id = :id`, {
    id,
  });
  return row ?? null;
}
