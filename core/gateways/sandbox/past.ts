import type { Database } from '#core/database';
import type { FollowUp, Order, Outcome } from '../connector.ts';
import { entryOf, outcomeOf, paymentEntry } from './entry.ts';
import { LEDGER, type LedgerRow } from './ledger.ts';
import { verdictOn } from './outcomes.ts';

/** The books of payments that are made up together, as a history is: decided and entered as if asked at the time, and written at once. */
export interface PastBooks {
  pay(operation: 'sale' | 'auth', order: Order, atMs: number): Outcome;
  follow(operation: 'capture' | 'void' | 'refund', question: FollowUp, atMs: number): Outcome;
  write(): Promise<void>;
}

export function createPastBooks(ledger: Database, tenantId: string): PastBooks {
  let rows: LedgerRow[] = [];
  const keep = (row: LedgerRow): Outcome => {
    rows.push(row);
    return outcomeOf(row);
  };
  return {
    pay: (operation, order, atMs) => keep(paymentEntry(operation, order, verdictOn(order), atMs)),
    follow: (operation, question, atMs) => keep(entryOf(question, operation, { kind: 'approved' }, atMs)),
    async write() {
      const written = rows;
      rows = [];
      await ledger.unitOfWork.record(tenantId, (batch) => {
        for (const row of written) batch.insert(LEDGER, row);
      });
    },
  };
}
