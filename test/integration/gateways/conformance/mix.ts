// A random mix of operations over a peer that loses and delays: at its end our record and the processor's books have to agree to the cent.
import type { ChargeRequest, Connector, Outcome, ReferencedRequest, StatusInquiry } from '../../../../core/gateways/connector.ts';
import type { HttpClient } from '../../../../core/gateways/http-client.ts';
import { pause } from '../../../support/until.ts';
import { BANK, CARD, followUp, inquiryOf, type Operation, orderOf } from './bench.ts';

/** What we believe of one payment; amounts in minor units. */
interface Payment {
  readonly order: ChargeRequest;
  readonly operation: 'sale' | 'auth' | 'credit';
  outcome: Outcome | null;
  captured: number;
  refunded: number;
  isVoided: boolean;
  /** Something is being done to it: one attempt at a time, as the service has it. */
  isBusy: boolean;
}

export interface Mixed {
  readonly charged: number;
  readonly paidOut: number;
  /** Attempts by how they ended, and how many of them had been in doubt. */
  readonly ends: Readonly<Record<string, number>>;
  readonly references: readonly string[];
}

export interface MixOptions {
  readonly operations: number;
  readonly atOnce: number;
  readonly random: () => number;
  /** Now and then the processor closes its batch. */
  closeBatch(): unknown;
}

const LONG_AGO_MS = 3_600_000;
const INQUIRIES_MAX = 200;
/** Inquiries before a question counts as sent long ago: what was given up may still be on its way to the peer. */
const EARLY_INQUIRIES = 6;
const BETWEEN_MS = 40;
/** About so many in a course: a week of them. */
const BATCHES = 6;

/** Every question is given up after so long: then the answer comes to nobody. */
export function impatient(wire: HttpClient, timeoutMs: number): HttpClient {
  return { post: (request) => wire.post({ ...request, timeoutMs }), close: () => wire.close() };
}

export async function runMix(connector: Connector, { operations, atOnce, random, closeBatch }: MixOptions): Promise<Mixed> {
  const payments: Payment[] = [];
  const references: string[] = [];
  const ends: Record<string, number> = { doubted: 0 };
  let left = operations;
  const pick = <Item>(items: readonly Item[]): Item | undefined => items[Math.floor(random() * items.length)];
  const below = (limit: number) => 1 + Math.floor(random() * limit);

  /** Asks once, and from doubt on only inquires, as recovery does. */
  async function attempt(question: ChargeRequest | ReferencedRequest, operation: Operation, ask: () => Promise<Outcome>): Promise<Outcome> {
    references.push(question.processorRef);
    let outcome = await ask();
    if (outcome.kind === 'unknown') ends.doubted = (ends.doubted ?? 0) + 1;
    for (let asked = 0; outcome.kind === 'unknown'; asked += 1) {
      if (asked >= INQUIRIES_MAX) throw new Error(`${operation} ${question.processorRef} stays in doubt: ${String(outcome.cause)}`);
      outcome = await concluded(inquiryOf(question, operation, asked < EARLY_INQUIRIES ? 0 : LONG_AGO_MS));
      if (outcome.kind === 'unknown') await pause(BETWEEN_MS);
    }
    const end = `${operation} ${outcome.kind}`;
    ends[end] = (ends[end] ?? 0) + 1;
    return outcome;
  }

  async function concluded(inquiry: StatusInquiry): Promise<Outcome> {
    const found = await connector.inquire(inquiry);
    return found.kind === 'not-found' ? { kind: 'not-sent', reason: 'never received', retry: 'error' } : found;
  }

  async function pay(): Promise<void> {
    const operation = pick(['sale', 'sale', 'sale', 'auth', 'auth', 'credit'] as const) ?? 'sale';
    const { cvv: _, ...card } = CARD;
    const order = orderOf({}, { source: random() < 0.3 ? BANK : card, ...(random() < 0.1 ? { billing: { zip: '46282' } } : {}) });
    const payment: Payment = { order, operation, outcome: null, captured: 0, refunded: 0, isVoided: false, isBusy: true };
    payments.push(payment);
    const ask = { sale: connector.sell, auth: connector.authorize, credit: connector.credit }[operation];
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
      const part = followUp(order, outcome, below(order.amount.minor));
      const done = await attempt(part, 'capture', () => connector.capture(part));
      if (done.kind === 'approved') payment.captured = part.amount.minor;
    } else if (isOpen || payment.refunded === 0 ? random() < 0.3 : false) {
      const whole = followUp(order, outcome);
      const done = await attempt(whole, 'void', () => connector.void(whole));
      if (done.kind === 'approved') payment.isVoided = true;
    } else if (!isOpen && rest > 0) {
      const part = followUp(order, outcome, below(rest));
      const done = await attempt(part, 'refund', () => connector.refund(part));
      if (done.kind === 'approved') payment.refunded += part.amount.minor;
    }
    payment.isBusy = false;
  }

  async function work(): Promise<void> {
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

  await Promise.all(Array.from({ length: atOnce }, work));
  const standing = payments.filter(({ isVoided }) => !isVoided);
  const sum = (of: (payment: Payment) => number) => standing.reduce((total, payment) => total + of(payment), 0);
  return {
    charged: sum((payment) => (payment.operation === 'credit' ? 0 : payment.captured)),
    paidOut: sum((payment) => (payment.operation === 'credit' ? payment.captured : payment.refunded)),
    ends,
    references,
  };
}
