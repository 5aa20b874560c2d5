// What the conformance kit knows of a connector: how to reach it, and for each cell how its processor is brought to that outcome, or why it offers none.
import { money, newProcessorRef, parseCurrency } from '#core/kernel';
import type { BankSource, CardSource } from '#core/vault';
import type { ChargeRequest, Connector, Outcome, ReferencedRequest, StatusInquiry } from '../../../../core/gateways/connector.ts';
import type { AccountCheck } from '../../../../core/gateways/processor.ts';

export const OPERATIONS = ['sale', 'auth', 'credit', 'capture', 'void', 'refund'] as const;
export type Operation = (typeof OPERATIONS)[number];

/** How a cell is played: what is set before it, and what its order has besides the usual; or why the processor has no such outcome. */
export type How = { readonly not: string } | { readonly before?: () => unknown; readonly order?: Partial<ChargeRequest> };

export interface Bench {
  readonly name: string;
  readonly connector: Connector;
  /** By the names of the cells. */
  readonly how: Readonly<Record<string, How>>;
  /** What no outcome may repeat. */
  readonly secrets: readonly string[];
  /** The same account with a wrong key, and behind a line that answers in no language of the processor's. */
  readonly strangers?: { readonly keyless: Connector; readonly garbled: Connector };
  /** Payments that stand in the processor's books under a reference. */
  landed(processorRef: string): Promise<number>;
  /** Closes the processor's batch. */
  settle(): unknown;
  /** A person decides on a payment that is held for review. */
  decide?(processorRef: string, decision: 'release' | 'refuse'): unknown;
  /** A bank payment comes back. */
  giveBack?(processorRef: string): unknown;
  check?(account?: 'keyless' | 'other-world'): Promise<AccountCheck>;
  /** Ends whatever a cell has set. */
  reset(): unknown;
  close(): Promise<void>;
}

export const USD = parseCurrency('USD');
export const WHOSE = { tenantId: 'ten_kit', merchantId: 'mer_kit', gatewayId: null };
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
};
export const ADDRESS = { address: '888', zip: '77777' };

let made = 0;

/** A payment of its own reference; amounts that no rule of a sandbox is about. */
export function orderOf(how: How, more: Partial<ChargeRequest> = {}): ChargeRequest {
  made += 1;
  const given = 'order' in how ? how.order : {};
  const amount = money(2_017 + 100 * (made % 75), USD);
  return { ...WHOSE, processorRef: newProcessorRef(), amount, source: CARD, ...more, ...given };
}

/** Something done to an approved payment. */
export function followUp(order: ChargeRequest, outcome: Outcome, minor = order.amount.minor): ReferencedRequest {
  if (outcome.kind !== 'approved') throw new Error(`the payment was to be approved: ${JSON.stringify(outcome)}`);
  const { source, processorRef } = order;
  return {
    ...WHOSE,
    processorRef: newProcessorRef(),
    amount: money(minor, USD),
    original: { processorRef, reference: outcome.reference },
    paidWith: source.kind === 'ach' ? source : { kind: 'card', last4: source.number.slice(-4) },
  };
}

/** The question what became of an attempt that was sent so long ago. */
export function inquiryOf(question: ChargeRequest | ReferencedRequest, operation: Operation, ageMs = 0): StatusInquiry {
  const { processorRef, amount } = question;
  const source = 'source' in question ? question.source : null;
  const original = 'original' in question ? question.original : undefined;
  const last4 = source ? (source.kind === 'card' ? source.number : source.accountNumber).slice(-4) : undefined;
  const at = new Date(Date.now() - ageMs).toISOString();
  return { ...WHOSE, processorRef, sent: { operation, amount, at, last4, original } };
}
