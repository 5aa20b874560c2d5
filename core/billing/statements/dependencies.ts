import type { Caller, Clock } from '#core/kernel';
import type { IdempotentDependencies } from '#core/platform/idempotency';
import type { Merchant } from '#core/processing/merchants';
import type { RecordAudit } from '#core/records/audit';
import type { Notify } from '#core/records/notifications';
import type { Customers } from '#core/sales/customers';

/** Result of a request whose response is stored under its idempotency key. */
export interface StatementResult {
  readonly statementMessage: { readonly messageId: string; readonly to: string };
}

/** Dependencies of the statements capability, constructed by `createCore`. */
export interface Dependencies extends IdempotentDependencies<StatementResult> {
  readonly customers: Pick<Customers, 'payer' | 'lock'>;
  readonly merchantFor: (actor: Caller, merchantId?: string) => Promise<Merchant>;
  readonly clockOf: (tenantId: string) => Clock;
  readonly environmentOf: (tenantId: string) => 'sandbox' | 'live';
  readonly notify: Notify;
  readonly audit: RecordAudit;
}
