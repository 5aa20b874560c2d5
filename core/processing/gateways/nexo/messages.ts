import { createHash, randomBytes } from 'node:crypto';
import { formatDecimal, type Money } from '#core/kernel';
import type { TerminalCharge } from '../terminals.ts';
import { numberOf } from './json.ts';

const PROTOCOL_VERSION = '3.0';
const SERVICE_ID_LENGTH = 10;
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const BASE = BigInt(ALPHABET.length);

export type Category = 'Payment' | 'Reversal' | 'TransactionStatus' | 'Abort' | 'Diagnosis';

/** Till and reader of an exchange of messages. */
export interface Parties {
  readonly saleId: string;
  readonly poiId: string;
}

/** Header of a message. The reader repeats the service ID in its response. */
export const headerOf = ({ saleId, poiId }: Parties, category: Category, type: 'Request' | 'Response', serviceId: string) => ({
  ProtocolVersion: PROTOCOL_VERSION,
  MessageClass: 'Service',
  MessageCategory: category,
  MessageType: type,
  ServiceID: serviceId,
  SaleID: saleId,
  POIID: poiId,
});

/** Returns the first ten digits, in base 62, of eight bytes. Readers require an ID that is unique for 48 hours. */
function serviceIdFrom(bytes: Buffer): string {
  let rest = bytes.readBigUInt64BE();
  let id = '';
  while (id.length < SERVICE_ID_LENGTH) {
    id = `${ALPHABET[Number(rest % BASE)]}${id}`;
    rest /= BASE;
  }
  return id;
}

/** Returns the service ID of a payment, which follows from its reference, so that an inquiry after a restart has the same one. */
export const serviceIdOf = (processorRef: string): string => serviceIdFrom(createHash('sha256').update(`nexo/${processorRef}`).digest());

/** Returns the ID of a message that nothing refers to. */
export const newServiceId = (): string => serviceIdFrom(randomBytes(8));

/** Returns the ID of Paydesk as a till, the same for all messages of a gateway, because readers find payments by it too. */
export const saleIdOf = (gatewayId: string): string => `Paydesk${createHash('sha256').update(gatewayId).digest('hex').slice(0, 8)}`;

/** Paydesk prints the receipts: a reader without a printer fails if it has to print them. */
const TENDER_OPTIONS = 'tenderOption=ReceiptHandler';

/** A sale, or a credit to the card that is presented. A tip that is known before is a part of the amount. */
export const paymentBody = (
  { operation, processorRef, amount, changes = {} }: Pick<TerminalCharge, 'operation' | 'processorRef' | 'amount' | 'changes'>,
  at: string,
) => ({
  SaleData: {
    SaleTransactionID: { TransactionID: processorRef, TimeStamp: at },
    SaleToAcquirerData: [
      TENDER_OPTIONS,
      ...(changes.tip ? ['AskGratuity'] : []),
      ...(changes.allowsPartialApproval ? ['AllowPartialAuthorisation'] : []),
    ].join(','),
  },
  PaymentTransaction: { AmountsReq: { Currency: amount.currency, RequestedAmount: numberOf(formatDecimal(amount)) } },
  PaymentData: { PaymentType: operation === 'credit' ? 'Refund' : 'Normal' },
});

/** Reference to a payment by its service ID. */
const messageReference = ({ saleId }: Parties, paymentServiceId: string) => ({
  MessageCategory: 'Payment',
  SaleID: saleId,
  ServiceID: paymentServiceId,
});

export const statusBody = (parties: Parties, paymentServiceId: string) => ({
  ReceiptReprintFlag: true,
  DocumentQualifier: ['CashierReceipt', 'CustomerReceipt'],
  MessageReference: messageReference(parties, paymentServiceId),
});

export const abortBody = (parties: Parties, paymentServiceId: string) => ({
  AbortReason: 'MerchantAbort',
  MessageReference: messageReference(parties, paymentServiceId),
});

export const diagnosisBody = () => ({ HostDiagnosisFlag: false });

/** A payment of the reader, by which it can be reversed. */
export interface PoiTransaction {
  readonly id: string;
  readonly at: string;
}

const TRANSACTION_ID = /^[\w.-]{1,60}$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?(?:Z|[+-]\d\d:?\d\d)$/;
const SEPARATOR = '@';

/** Returns the reference of a payment, `ID@time`; undefined if the reader does not state it in this form. */
export function referenceOf(id: string | undefined, at: string | undefined): string | undefined {
  if (id === undefined || !TRANSACTION_ID.test(id)) return undefined;
  return at !== undefined && TIME.test(at) ? `${id}${SEPARATOR}${at}` : id;
}

/** Returns the payment of a reference; undefined without its time, as a person may have entered it. */
export function transactionOf(reference: string): PoiTransaction | undefined {
  const [id = '', at = ''] = reference.split(SEPARATOR);
  return TRANSACTION_ID.test(id) && TIME.test(at) ? { id, at } : undefined;
}

/** A reversal of a payment, in full or of a part. */
export const reversalBody = ({ id, at }: PoiTransaction, part: Money | null) => ({
  OriginalPOITransaction: { POITransactionID: { TransactionID: id, TimeStamp: at } },
  ReversalReason: 'MerchantCancel',
  ...(part && { ReversedAmount: numberOf(formatDecimal(part)) }),
});
