// Random operations with a simulator that loses and delays messages: at the end our records and the processor's ledger must agree to the cent.
import type { ChargeRequest, Connector, ReferencedRequest, StatusInquiry } from '../../../../core/processing/gateways/connector.ts';
import type { HttpClient } from '../../../../core/processing/gateways/http-client.ts';
import type { Outcome } from '../../../../core/processing/gateways/outcome.ts';
import { pause } from '../../../support/until.ts';
import { BANK, CARD, newChargeRequest, newStatusInquiry, type Operation, referencedRequest } from './harness.ts';

/** Our record of one payment; amounts in minor units. */
interface Payment {
  readonly order: ChargeRequest;
  readonly operation: 'sale' | 'auth' | 'credit';
  outcome: Outcome | null;
  captured: number;
  refunded: number;
  isVoided: boolean;
  /** True while an operation is in progress: one attempt at a time, as in the service. */
  isBusy: boolean;
}

interface MixedResult {
  readonly charged: number;
  readonly paidOut: number;
  /** Number of attempts by outcome, and of those that had been unconfirmed. */
  readonly outcomes: Readonly<Record<string, number>>;
  readonly references: readonly string[];
}

interface MixedOptions {
  readonly operations: number;
  readonly concurrency: number;
  readonly random: () => number;
  /** Closes the processor's batch occasionally. */
  closeBatch(): unknown;
}

const LONG_AGO_MS = 3_600_000;
const INQUIRIES_MAX = 200;
/** Number of inquiries before a request counts as sent long ago: an abandoned request may still be on its way to the simulator. */
const INQUIRIES_AS_RECENT = 6;
const PAUSE_MS = 40;
/** Approximate number of batches in a run: a week of them. */
const BATCHES = 6;

/** Abandons every request after a time limit; a later response is lost. */
export function withTimeout(wire: HttpClient, timeoutMs: number): HttpClient {
  return { ...wire, post: (request) => wire.post({ ...request, timeoutMs }) };
}

export async function runMixedOperations(
  connector: Connector,
  { operations, concurrency, random, closeBatch }: MixedOptions,
): Promise<MixedResult> {
  const payments: Payment[] = [];
  const references: string[] = [];
  const outcomes: Record<string, number> = { unconfirmed: 0 };
  let left = operations;
  const pick = <Item>(items: readonly Item[]): Item | undefined => items[Math.floor(random() * items.length)];
  const below = (limit: number) => 1 + Math.floor(random() * limit);

  /** Sends a request once, and only inquires while it is unconfirmed, like recovery. */
  async function attempt(request: ChargeRequest | ReferencedRequest, operation: Operation, ask: () => Promise<Outcome>): Promise<Outcome> {
    references.push(request.processorRef);
    let outcome = await ask();
    if (outcome.kind === 'unknown') outcomes.unconfirmed = (outcomes.unconfirmed ?? 0) + 1;
    for (let inquiries = 0; outcome.kind === 'unknown'; inquiries += 1) {
      if (inquiries >= INQUIRIES_MAX) throw new Error(`${operation} ${request.processorRef} stays unconfirmed: ${String(outcome.cause)}`);
      outcome = await concluded(newStatusInquiry(request, operation, inquiries < INQUIRIES_AS_RECENT ? 0 : LONG_AGO_MS));
      if (outcome.kind === 'unknown') await pause(PAUSE_MS);
    }
    const end = `${operation} ${outcome.kind}`;
    outcomes[end] = (outcomes[end] ?? 0) + 1;
    return outcome;
  }

  async function concluded(inquiry: StatusInquiry): Promise<Outcome> {
    const found = await connector.inquire(inquiry);
    return found.kind === 'not-found' ? { kind: 'not-sent', reason: 'never received', retry: 'error' } : found;
  }

  async function pay(): Promise<void> {
    const operation = pick(['sale', 'sale', 'sale', 'auth', 'auth', 'credit'] as const) ?? 'sale';
    const { cvv: _, ...card } = CARD;
    const order = newChargeRequest({}, { source: random() < 0.3 ? BANK : card, ...(random() < 0.1 ? { billing: { zip: '46282' } } : {}) });
    const payment: Payment = { order, operation, outcome: null, captured: 0, refunded: 0, isVoided: false, isBusy: true };
    payments.push(payment);
    const ask = { sale: connector.purchase, auth: connector.authorize, credit: connector.credit }[operation];
    payment.outcome = await attempt(order, operation, () => ask(order));
    if (payment.outcome.kind === 'approved' && operation !== 'auth') payment.captured = order.amount.minor;
    payment.isBusy = false;
  }

  async function change(payment: Payment): Promise<void> {
    const { order, outcome } = payment;
    if (outcome?.kind !== 'approved') return;
    payment.isBusy = true;
    const isOpen = payment.operation === 'auth' && payment.captured === 0;
    const rest = payment.captured - payment.refunded;
    if (isOpen && random() < 0.7) {
      const part = referencedRequest(order, outcome, below(order.amount.minor));
      const done = await attempt(part, 'capture', () => connector.capture(part));
      if (done.kind === 'approved') payment.captured = part.amount.minor;
    } else if (isOpen || payment.refunded === 0 ? random() < 0.3 : false) {
      const whole = referencedRequest(order, outcome);
      const done = await attempt(whole, 'void', () => connector.void(whole));
      if (done.kind === 'approved') payment.isVoided = true;
    } else if (!isOpen && rest > 0) {
      const part = referencedRequest(order, outcome, below(rest));
      const done = await attempt(part, 'refund', () => connector.refund(part));
      if (done.kind === 'approved') payment.refunded += part.amount.minor;
    }
    payment.isBusy = false;
  }

  async function worker(): Promise<void> {
    while (left > 0) {
      left -= 1;
      if (random() < BATCHES / operations) closeBatch();
      const changeable = payments.filter(
        ({ isBusy, isVoided, operation, outcome }) => !isBusy && !isVoided && operation !== 'credit' && outcome?.kind === 'approved',
      );
      const payment = random() < 0.5 ? pick(changeable) : undefined;
      await (payment ? change(payment) : pay());
    }
  }

  await Promise.all(Array.from({ length: concurrency }, worker));
  const notVoided = payments.filter(({ isVoided }) => !isVoided);
  const sum = (amountOf: (payment: Payment) => number) => notVoided.reduce((total, payment) => total + amountOf(payment), 0);
  return {
    charged: sum((payment) => (payment.operation === 'credit' ? 0 : payment.captured)),
    paidOut: sum((payment) => (payment.operation === 'credit' ? payment.captured : payment.refunded)),
    outcomes,
    references,
  };
}
