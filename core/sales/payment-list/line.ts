import type { TransactionLine } from '#core/sales/payments';
import type { Tender, TenderKind } from '#core/sales/tenders';

/** A payment as a line of an export. */
export interface PaymentLine extends Omit<TransactionLine, 'transactionId' | 'paymentMethod'> {
  readonly paymentId: string;
  readonly paymentMethod: TransactionLine['paymentMethod'] | TenderKind;
  /** Receipt number of a tender. */
  readonly number: string | null;
  /** Name of an `other` tender. */
  readonly tenderName: string | null;
  readonly checkNumber: string | null;
}

export const lineOfTransaction = ({ transactionId, ...line }: TransactionLine): PaymentLine => ({
  ...line,
  paymentId: transactionId,
  number: null,
  tenderName: null,
  checkNumber: null,
});

export function lineOfTender(tender: Tender): PaymentLine {
  const { amount, refundedAmount, taxAmount, discountAmount, discountApprovedBy } = tender;
  return {
    paymentId: tender.tenderId,
    createdAt: tender.createdAt,
    merchantId: tender.merchantId,
    type: 'sale',
    status: 'approved',
    amountMinor: amount.minor,
    currency: tender.currency,
    capturedMinor: amount.minor,
    refundedMinor: refundedAmount.minor,
    paymentMethod: tender.kind,
    brand: null,
    last4: '',
    authCode: null,
    declineCode: null,
    customerName: tender.customerName,
    customerEmail: tender.customerEmail,
    orderId: tender.orderId,
    description: tender.description,
    processorRef: '',
    settlementDate: null,
    tipMinor: 0,
    surchargeMinor: 0,
    taxMinor: taxAmount.minor,
    purchaseOrderNumber: null,
    createdBy: tender.createdBy,
    approvedBy: null,
    discountMinor: discountAmount.minor,
    discountApprovedBy,
    channel: null,
    secCode: null,
    number: tender.number,
    tenderName: tender.name,
    checkNumber: tender.checkNumber,
  };
}
