import { type ApiFixture, expectData } from './server.ts';
import { until } from './until.ts';

/** The fields of a transaction that the tests read. */
export interface TransactionRecord {
  transactionId: string;
  type: string;
  status: string;
  amount: number;
  requestedAmount: number | null;
  currency: string;
  captured: boolean;
  capturedAmount: number;
  refundedAmount: number;
  disputedAmount: number;
  refundStatus: string;
  reservedAmount: number;
  paymentMethod: string;
  voidReason: string | null;
  authCode: string | null;
  avsResponse: string | null;
  cvvResponse: string | null;
  declineCode: string | null;
  errorCode: string | null;
  rerunOf: string | null;
  token: string;
  processorRef: string;
  card: { brand: string; last4: string } | null;
  bankAccount: { last4: string; accountType: string } | null;
  customer: { name: string | null; email: string | null } | null;
  orderId: string | null;
  shiftId: string | null;
  metadata: Record<string, unknown> | null;
  history: { action: string; result: string; actor: string; amount: number; shiftId: string | null }[];
}

export interface RefundRecord {
  refundId: string;
  transactionId: string;
  status: string;
  amount: number;
  remainingAmount: number;
  type: string;
  declineCode: string | null;
  queuedForRetry: boolean;
}

/** Cards of the sandbox by their effect. */
export const CARDS = {
  visa: '4111111111111111',
  amex: '378282246310005',
  declined: '4000000000000002',
  noFunds: '4000000000009995',
  refundDeclined: '4000000000005126',
  refundDeclinedOnce: '4000000000007726',
  /** Approves at most 30.00, if the payment allows a part. */
  prepaid: '5105100000003005',
  answerLost: '4000000000006975',
  neverReceived: '4000000000006983',
  gatewayError: '4000000000006991',
} as const;

/** Returns a security code with the digits of a card's brand. */
export const codeOf = (number: string) => (/^3[47]/.test(number) ? '1234' : '123');

export function cardBody(amount: number | string, number: string = CARDS.visa, more: Record<string, unknown> = {}) {
  return {
    type: 'sale',
    amount,
    currency: 'USD',
    paymentMethod: 'card',
    card: { number, expiryMonth: '12', expiryYear: '2031', cvv: codeOf(number) },
    ...more,
  };
}

export const bankBody = (amount: number, more: Record<string, unknown> = {}) => ({
  type: 'sale',
  amount,
  currency: 'USD',
  paymentMethod: 'ach',
  bankAccount: { accountNumber: '000123456789', routingNumber: '021000021', accountType: 'checking', accountHolderName: 'Ada Payer' },
  ...more,
});

/** Creates an approved transaction over the Admin surface. */
export async function createSale(
  { api }: Pick<ApiFixture, 'api'>,
  amount: number | string = 30,
  more: Record<string, unknown> = {},
): Promise<TransactionRecord> {
  return expectData(api.admin.post<TransactionRecord>('/transactions', cardBody(amount, CARDS.visa, more)));
}

/** Waits until a payment's outcome is known and returns the transaction. */
export function waitUntilConcluded({ api }: Pick<ApiFixture, 'api'>, transactionId: string): Promise<TransactionRecord> {
  return until(`${transactionId} is no longer pending`, async () => {
    const record = await expectData(api.admin.get<TransactionRecord>(`/transactions/${transactionId}`));
    return record.status === 'pending' ? undefined : record;
  });
}

/** Creates a sale that is declined for its security code; its rerun has none, so the card number determines its outcome. */
export async function createDeclinedSale(
  service: Pick<ApiFixture, 'api'>,
  number: string = CARDS.visa,
  amount: number | string = 20,
  more: Record<string, unknown> = {},
): Promise<TransactionRecord> {
  const card = { number, expiryMonth: '12', expiryYear: '2031', cvv: '901' };
  const { status, body } = await service.api.admin.post<TransactionRecord>('/transactions', cardBody(amount, number, { card, ...more }));
  return waitUntilConcluded(service, status === 200 ? body.data.transactionId : String(body.error.details?.transactionId));
}
