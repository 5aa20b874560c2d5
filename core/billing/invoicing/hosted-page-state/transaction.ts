import type { Work } from '#core/database';
import type { Actor } from '#core/kernel';
import type { HostedPayment } from '#core/processing/gateways';
import { storedLineItems } from '#core/sales/items';
import type { Transaction } from '#core/sales/payments';
import type { Dependencies } from '../dependencies.ts';
import { contentOfPayment, linesOfPayment } from '../items.ts';
import type { InvoiceRow } from '../schema.ts';

/** A payment on a page of a processor, found by the reference of the page. */
export interface FoundPayment {
  readonly via: { readonly gateway: string; readonly gateway_id: string };
  readonly processorRef: string;
  readonly payment: HostedPayment;
}

/** Records a payment that pays an invoice or a part of it; `prepare` reserves its amount in the commit of the intent. */
export function recordOnPage(
  deps: Dependencies,
  actor: Actor,
  row: InvoiceRow,
  found: FoundPayment,
  {
    taxMinor,
    customerId,
    prepare,
  }: {
    readonly taxMinor: number;
    readonly customerId: string | undefined;
    readonly prepare: (work: Work, transactionId: string) => Promise<void>;
  },
): Promise<Transaction> {
  const { minor } = found.payment.amount;
  const { orderId, tipMinor, discountMinor, granted } = contentOfPayment(row, minor);
  return deps.payments.hostedPages.record(actor, {
    ...found,
    merchantId: row.merchant_id,
    parts: { tip: tipMinor, surcharge: 0, tax: taxMinor },
    discountMinor,
    claim: prepare,
    details: {
      customer_name: row.customer_name,
      customer_email: row.customer_email?.toLowerCase() ?? null,
      customer_id: customerId ?? null,
      invoice_id: row.id,
      order_id: orderId,
      purchase_order_number: row.purchase_order_number,
      description: `Invoice ${row.number}`,
      line_items: storedLineItems(linesOfPayment(row, minor)),
      ...granted,
    },
  });
}
