import type { Database } from '#core/database';
import type { ChargeRequest, ReferencedRequest } from '../connector.ts';
import type { Outcome } from '../outcome.ts';
import { newEntry, outcomeOf, paymentEntry } from './entry.ts';
import { LEDGER, type LedgerRow } from './ledger.ts';
import { decide } from './outcomes.ts';

/** Sandbox ledger of a sample history. Payments are decided as if they had been requested at the given time, and written together. */
export interface SampleBooks {
  pay(operation: 'sale' | 'auth', charge: ChargeRequest, atMs: number): Outcome;
  change(operation: 'capture' | 'void' | 'refund', request: ReferencedRequest, atMs: number): Outcome;
  write(): Promise<void>;
}

export function createSampleBooks(ledger: Database, tenantId: string): SampleBooks {
  let rows: LedgerRow[] = [];
  const add = (row: LedgerRow): Outcome => {
    rows.push(row);
    return outcomeOf(row);
  };
  return {
    pay: (operation, charge, atMs) => add(paymentEntry(operation, charge, decide(charge), atMs)),
    change: (operation, request, atMs) => add(newEntry(request, operation, { kind: 'approved' }, atMs)),
    async write() {
      const pending = rows;
      rows = [];
      await ledger.unitOfWork.writeBatch(tenantId, (batch) => {
        for (const row of pending) batch.insert(LEDGER, row);
      });
    },
  };
}
