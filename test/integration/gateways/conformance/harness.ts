// The view of a connector in the conformance kit: how to reach it, and for each cell how its processor is made to produce that outcome, or why it does not offer it.
import { money, newProcessorRef, parseCurrency } from '#core/kernel';
import { type BankSource, type CardSource, last4Of } from '#core/records/vault';
import type { ChargeRequest, Connector, ReferencedRequest, StatusInquiry } from '../../../../core/processing/gateways/connector.ts';
import type { Outcome } from '../../../../core/processing/gateways/outcome.ts';
import type { AccountCheck } from '../../../../core/processing/gateways/processor.ts';

export const OPERATIONS = ['sale', 'auth', 'credit', 'capture', 'void', 'refund'] as const;
export type Operation = (typeof OPERATIONS)[number];

/** Setup of a cell: an action before it and additional fields of its request; or the reason why the processor has no such outcome. */
export type CellSetup = { readonly notOffered: string } | { readonly before?: () => unknown; readonly order?: Partial<ChargeRequest> };

export interface ConnectorHarness {
  readonly name: string;
  readonly connector: Connector;
  /** Setups by the names of the cells. */
  readonly setups: Readonly<Record<string, CellSetup>>;
  /** Values that no outcome may repeat. */
  readonly secrets: readonly string[];
  /** The same account with wrong credentials, and behind a connection with responses in another format. */
  readonly brokenConnectors?: { readonly wrongCredentials: Connector; readonly invalidResponses: Connector };
  /** Returns the number of payments under a reference in the processor's ledger. */
  countPayments(processorRef: string): Promise<number>;
  /** Closes the processor's batch. */
  closeBatch(): unknown;
  /** Applies a person's decision on a payment that is held for review. */
  decide?(processorRef: string, decision: 'release' | 'refuse'): unknown;
  /** Returns a bank payment. */
  returnPayment?(processorRef: string): unknown;
  check?(account?: 'keyless' | 'other-world'): Promise<AccountCheck>;
  /** Undoes the setup of a cell. */
  reset(): unknown;
  close(): Promise<void>;
}

export const USD = parseCurrency('USD');
export const OWNER_IDS = { tenantId: 'ten_kit', merchantId: 'mer_kit', gatewayId: null };
export const CARD: CardSource = {
  kind: 'card',
  number: '4111111111111111',
  expiryMonth: '12',
  expiryYear: '2031',
  brand: 'visa',
  cvv: '999',
};
export const BANK: BankSource = {
  kind: 'ach',
  accountNumber: '24413815',
  routingNumber: '490000018',
  accountType: 'checking',
  accountHolderName: 'Ann Other',
  holder: 'person',
};
export const ADDRESS = { address: '888', zip: '77777' };

let requestsCreated = 0;

/** Returns a payment with its own reference; no rule of a sandbox affects its amount. */
export function newChargeRequest(setups: CellSetup, more: Partial<ChargeRequest> = {}): ChargeRequest {
  requestsCreated += 1;
  const given = 'order' in setups ? setups.order : {};
  const amount = money(2_017 + 100 * (requestsCreated % 75), USD);
  const request: ChargeRequest = {
    ...OWNER_IDS,
    processorRef: newProcessorRef(),
    amount,
    source: CARD,
    channel: 'phone',
    ...more,
    ...given,
  };
  return request.source.kind === 'ach' ? { secCode: 'TEL', ...request } : request;
}

/** Returns an operation on an approved payment. */
export function referencedRequest(order: ChargeRequest, outcome: Outcome, minor = order.amount.minor): ReferencedRequest {
  if (outcome.kind !== 'approved') throw new Error(`the payment was to be approved: ${JSON.stringify(outcome)}`);
  const { source, processorRef } = order;
  return {
    ...OWNER_IDS,
    processorRef: newProcessorRef(),
    amount: money(minor, USD),
    original: { processorRef, reference: outcome.reference },
    paidWith: source.kind === 'ach' ? source : { kind: 'card', last4: last4Of(source) },
  };
}

/** Returns an inquiry about an attempt that was sent that long ago. */
export function newStatusInquiry(request: ChargeRequest | ReferencedRequest, operation: Operation, ageMs = 0): StatusInquiry {
  const { processorRef, amount } = request;
  const source = 'source' in request ? request.source : null;
  const original = 'original' in request ? request.original : undefined;
  const last4 = source ? last4Of(source) : undefined;
  const at = new Date(Date.now() - ageMs).toISOString();
  return { ...OWNER_IDS, processorRef, sent: { operation, amount, at, last4, original } };
}
