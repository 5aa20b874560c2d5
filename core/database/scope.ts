import { assert } from '#core/kernel';
import type { Params, Where } from './statements.ts';
import type { Table } from './table.ts';

/**
 * Puts the tenant into every statement of a tenant's Read, Work or Batch, so that forgetting it is impossible: rows and conditions get
 * tenant_id, own SQL must name :tenantId.
 */
export class TenantScope {
  readonly tenantId: string | null;

  constructor(tenantId: string | null) {
    this.tenantId = tenantId;
  }

  rows<Row>(table: Table<Row>, where: Where<Row>): Where<Row> {
    if (this.tenantId === null || !table.tenantScoped) return where;
    return { ...where, tenant_id: this.tenantId };
  }

  row<Row>(table: Table<Row>, row: Row): Row {
    const tenantId = (row as { tenant_id?: unknown }).tenant_id;
    assert(
      !table.tenantScoped || this.tenantId === null || tenantId === this.tenantId,
      `a row of ${table.name} belongs to the tenant of the work`,
    );
    return row;
  }

  params(sql: string, params: Params): Params {
    if (this.tenantId === null) return params;
    assert(sql.includes(':tenantId'), 'a statement of a tenant names :tenantId');
    return { ...params, tenantId: this.tenantId };
  }
}
