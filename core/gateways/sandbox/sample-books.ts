import type { Database } from '#core/database';
import type { ChargeRequest, Outcome, ReferencedRequest } from '../connector.ts';
import { entryOf, outcomeOf, paymentEntry } from './entry.ts';
import { LEDGER, type LedgerRow } from './ledger.ts';
import { verdictOn } from './outcomes.ts';

/** Books for sample history: payments are decided and entered as if they had been requested at the time, and written together. */
export interface SampleBooks {
  pay(operation: 'sale' | 'auth', order: ChargeRequest, atMs: number): Outcome;
  follow(operation: 'capture' | 'void' | 'refund', question: ReferencedRequest, atMs: number): Outcome;
  write(): Promise<void>;
}

export function createSampleBooks(ledger: Database, tenantId: string): SampleBooks {
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
