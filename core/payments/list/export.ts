import { setImmediate as breathe } from 'node:timers/promises';
import type { Actor, Currency } from '#core/kernel';
import type { Needs } from '../needs.ts';
import type { TransactionMethod, TransactionStatus, TransactionType } from '../transaction.ts';
import { newestSql, type TransactionFilter, transactionCondition } from './list.ts';
import { scoped } from './read.ts';
import { narrowed } from './slices.ts';

/** Rows that are read at once: others have their turn between two pages, and hardly wait for one. */
const PAGE = 200;

/** A transaction as a line of a file: what is told of it there, read as it is stored. */
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
  /** Of the card or of the account. */
  readonly last4: string;
  readonly authCode: string | null;
  readonly declineCode: string | null;
  readonly customerName: string | null;
  readonly customerEmail: string | null;
  readonly orderId: string | null;
  readonly description: string | null;
  readonly processorRef: string;
  readonly settlementDate: string | null;
}

const COLUMNS: Readonly<Record<keyof TransactionLine, string>> = {
  transactionId: 'id',
  createdAt: 'created_at',
  merchantId: 'merchant_id',
  type: 'type',
  status: 'status',
  amountMinor: 'amount_minor',
  currency: 'currency',
  capturedMinor: 'captured_minor',
  refundedMinor: 'refunded_minor',
  paymentMethod: 'method',
  brand: 'card_brand',
  last4: 'last4',
  authCode: 'auth_code',
  declineCode: 'decline_code',
  customerName: 'customer_name',
  customerEmail: 'customer_email',
  orderId: 'order_id',
  description: 'description',
  processorRef: 'processor_ref',
  settlementDate: 'settlement_date',
};
const SELECTED = Object.entries(COLUMNS)
  .map(([name, column]) => `${column} AS "${name}"`)
  .join(', ');

/** Every transaction that a filter names, newest first, in pages: any number goes through in bounded memory. Errors are the list's. */
export async function* transactionLines(on: Needs, by: Actor, asked: TransactionFilter): AsyncGenerator<readonly TransactionLine[]> {
  const { filter, merchant } = await scoped(on, by, asked);
  const condition = transactionCondition(filter, merchant.timezone, merchant.currency);
  const read = on.database.read(by.tenantId);
  for await (const slice of narrowed(read, filter, condition)) {
    for (let below: string | undefined; ; ) {
      const [under, at] = below === undefined ? ['', {}] : [' AND id < :cursor', { cursor: below }];
      const rows: TransactionLine[] = await read.all<TransactionLine>(
        newestSql('transactions', SELECTED, slice, { bound: under, limit: `LIMIT ${PAGE}` }),
        { ...slice.params, ...at },
      );
      if (rows.length > 0) yield rows;
      below = rows.at(-1)?.transactionId;
      if (rows.length < PAGE || below === undefined) break;
      await breathe();
    }
  }
}
