import type { OpenInvoice } from '../../core/books/bank/matching/invoices.ts';
import type { UnpaidInvoices } from '../../core/books/bank/matching/unpaid-invoices.ts';

/** Returns reads that return all of the given invoices at each call, so that nothing depends on what is looked up. */
export function allUnpaid(invoices: readonly OpenInvoice[]): UnpaidInvoices {
  const all = async () => [...invoices];
  const customers = [...new Set(invoices.flatMap(({ customerId }) => customerId ?? []))];
  return {
    exist: invoices.length > 0,
    numbered: all,
    customersIn: async () => customers,
    ofCustomers: all,
    oldestOf: all,
    next: async () => [],
  };
}
