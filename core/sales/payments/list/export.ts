import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { conditionsOn } from '#core/database';
import type { Actor, Currency } from '#core/kernel';
import type { Channel, SecCode } from '#shared/channels';
import type { Dependencies } from '../dependencies.ts';
import { TRANSACTIONS, type TransactionMethod, type TransactionStatus, type TransactionType } from '../schema.ts';
import { narrowed, readFor } from './chunked-scan.ts';
import { newestRows, type TransactionFilter, transactionCondition } from './list.ts';
import { resolveFilter } from './read.ts';
import { countFound, newestFound } from './search.ts';

/** Rows per read; other requests run between two reads. */
const PAGE_ROWS = 200;

/** A transaction as a line of an export, read in its stored form. */
export interface TransactionLine {
  readonly transactionId: string;
  readonly createdAt: string;
  readonly merchantId: string;
  readonly type: TransactionType;
  readonly status: TransactionStatus;
  readonly amountMinor: number;
  readonly currency: Currency;
  readonly capturedMinor: number;
  readonly refundedMinor: number;
  readonly paymentMethod: TransactionMethod;
  readonly brand: string | null;
  /** Last four digits of the card or account. */
  readonly last4: string;
  readonly authCode: string | null;
  readonly declineCode: string | null;
  readonly customerName: string | null;
  readonly customerEmail: string | null;
  readonly orderId: string | null;
  readonly description: string | null;
  readonly processorRef: string;
  readonly settlementDate: string | null;
  readonly tipMinor: number;
  readonly surchargeMinor: number;
  readonly taxMinor: number;
  readonly purchaseOrderNumber: string | null;
  readonly createdBy: string | null;
  readonly approvedBy: string | null;
  readonly discountMinor: number;
  readonly discountApprovedBy: string | null;
  readonly channel: Channel | null;
  readonly secCode: SecCode | null;
}

const { ref } = conditionsOn(TRANSACTIONS);
const SELECTED = [
  ref('id').as('transactionId'),
  ref('created_at').as('createdAt'),
  ref('merchant_id').as('merchantId'),
  ref('type').as('type'),
  ref('status').as('status'),
  ref('amount_minor').as('amountMinor'),
  ref('currency').as('currency'),
  ref('captured_minor').as('capturedMinor'),
  ref('refunded_minor').as('refundedMinor'),
  ref('method').as('paymentMethod'),
  ref('card_brand').as('brand'),
  ref('last4').as('last4'),
  ref('auth_code').as('authCode'),
  ref('decline_code').as('declineCode'),
  ref('customer_name').as('customerName'),
  ref('customer_email').as('customerEmail'),
  ref('order_id').as('orderId'),
  ref('description').as('description'),
  ref('processor_ref').as('processorRef'),
  ref('settlement_date').as('settlementDate'),
  ref('tip_minor').as('tipMinor'),
  ref('surcharge_minor').as('surchargeMinor'),
  ref('tax_minor').as('taxMinor'),
  ref('purchase_order_number').as('purchaseOrderNumber'),
  ref('created_by').as('createdBy'),
  ref('approved_by').as('approvedBy'),
  ref('discount_minor').as('discountMinor'),
  ref('discount_approved_by').as('discountApprovedBy'),
  ref('channel').as('channel'),
  ref('sec_code').as('secCode'),
] as const;

/** Yields every transaction of a filter, newest first, in pages, so that memory is bounded. Throws the same errors as the list. */
export async function* transactionLines(
  deps: Dependencies,
  actor: Actor,
  requested: TransactionFilter,
): AsyncGenerator<readonly TransactionLine[]> {
  const { filter, merchant } = await resolveFilter(deps, actor, requested);
  const condition = transactionCondition(filter, merchant.timezone, merchant.currency);
  const read = readFor(deps.database.read(actor.tenantId), filter, condition);
  const total = condition.search === undefined ? 0 : await countFound(read, condition.search);
  for await (const chunk of narrowed(read, filter, condition)) {
    for (let below: string | undefined; ; ) {
      const rows: TransactionLine[] =
        chunk.search === undefined
          ? ((await read.rows(newestRows(TRANSACTIONS, chunk, { below, limit: PAGE_ROWS }).select(SELECTED))) as TransactionLine[])
          : await newestFound(read, chunk.search, { below, skip: 0, limit: PAGE_ROWS }, (found) => found.select(SELECTED), total);
      if (rows.length > 0) yield rows;
      below = rows.at(-1)?.transactionId;
      if (rows.length < PAGE_ROWS || below === undefined) break;
      await yieldToOthers();
    }
  }
}
