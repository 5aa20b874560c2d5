import { CARDS, cardBody, type RefundRecord, type TransactionRecord } from '../../support/sales.ts';
import { type Answer, type ApiFixture, expectData } from '../../support/server.ts';

/** Operations of a shop. Time alone makes settlements, pays batches and retries declined refunds. */
export const KINDS = [
  'sale',
  'auth',
  'capture',
  'cancel-capture',
  'void',
  'refund',
  'credit',
  'chargeback',
  'decide',
  'resolve',
  'give-up',
  'settle',
  'payout',
  'batch',
  'batch-paid',
  'batch-failed',
  'wait',
] as const;
export type Kind = (typeof KINDS)[number];

/** One operation of a shop; `which` selects one of its payments, `cents` an amount, and an odd `hours` a partial amount. */
export interface Step {
  readonly kind: Kind;
  readonly which: number;
  readonly cents: number;
  readonly hours: number;
}

/** A payment as the shop expects it: requested and granted amounts, in cents. */
export interface Remembered {
  readonly currency: string;
  readonly isCard: boolean;
  readonly held: number;
  captured: number;
}

/** Amounts charged back from a payment, in cents. */
interface Disputed {
  readonly active?: number;
  readonly lost?: number;
}

const withDispute = (before: Disputed | undefined, amount: number, isActive: boolean): Disputed =>
  isActive ? { ...before, active: amount } : { active: 0, lost: (before?.lost ?? 0) + amount };

/** The shop's own record of its operations, without anything read from the service: the model that reports are compared with. In cents. */
export interface ExpectedState {
  readonly payments: ReadonlyMap<string, Remembered>;
  /** Refunds made by a processor. */
  readonly refunds: ReadonlyMap<string, { readonly originalId: string; readonly amount: number }>;
  /** Refunds made manually. */
  readonly outside: ReadonlyMap<string, { readonly originalId: string; readonly amount: number }>;
  readonly credits: ReadonlyMap<string, number>;
  /** Amounts of payments that disputes charged back: by an active one, and by lost ones. */
  readonly disputes: ReadonlyMap<string, Disputed>;
  /** Movements of the disputes; negative amounts were taken from the merchant. */
  readonly movements: ReadonlyMap<string, { readonly originalId: string; readonly amount: number }>;
  readonly batches: readonly string[];
  /** Number of successful operations by kind. */
  readonly did: ReadonlyMap<string, number>;
}

const METHODS = [
  { card: { number: CARDS.visa, cvv: '123' } },
  { card: { number: CARDS.amex, cvv: '1234' } },
  { card: { number: CARDS.noFunds, cvv: '123' } },
  { card: { number: CARDS.declined, cvv: '123' } },
  { card: { number: CARDS.refundDeclined, cvv: '123' } },
  { card: { number: CARDS.refundDeclinedOnce, cvv: '123' } },
];
const BANK = { accountNumber: '000123456789', routingNumber: '021000021', accountType: 'checking', accountHolderName: 'Ada' };
const PERIOD = { startDate: '2020-01-01', endDate: '2099-12-31' };

export const cents = (amount: number) => Math.round(amount * 100);
const decimal = (amount: number) => (amount / 100).toFixed(2);

interface DisputeRecord {
  readonly disputeId: string;
  readonly transactionId: string;
  readonly withheldAmount: number;
  readonly movements: readonly { readonly movementId: string; readonly amount: number }[];
}

interface QueueEntry {
  readonly id: string;
  readonly refundTransactionId: string;
  readonly transactionId: string;
  readonly amount: number;
}

/** Target of the operations before the first payment. */
const UNKNOWN = 'txn_00000000000000000000000000';

/** Returns a tip, a surcharge and a tax that leave a base of cents which no part divides evenly. */
const partsOf = (minor: number, isCard: boolean) => ({
  tipAmount: decimal(Math.floor(minor / 7)),
  ...(isCard ? { surchargeAmount: decimal(Math.floor(minor / 50)) } : {}),
  taxAmount: decimal(Math.floor(minor / 11)),
});

/** Performs the steps one after the other; the service may refuse some of them. */
export async function runHistory(service: ApiFixture, merchantId: string, steps: readonly Step[]): Promise<ExpectedState> {
  const { admin } = service.api;
  const payments = new Map<string, Remembered>();
  const refunds = new Map<string, { originalId: string; amount: number }>();
  const queued = new Map<string, { originalId: string; amount: number }>();
  const outside = new Map<string, { originalId: string; amount: number }>();
  const credits = new Map<string, number>();
  const disputes = new Map<string, Disputed>();
  const disputeIds = new Set<string>();
  const movements = new Map<string, { originalId: string; amount: number }>();
  const batches: string[] = [];
  const did = new Map<string, number>();
  /** Records a successful operation; returns its data. */
  const granted = <Data>(what: string, { status, body }: Answer<Data>): Data | undefined => {
    if (status !== 200 || !body.success) return undefined;
    did.set(what, (did.get(what) ?? 0) + 1);
    return body.data;
  };
  const pick = <Item>(items: readonly Item[], which: number) => items[which % Math.max(items.length, 1)];

  for (const { kind, which, cents: minor, hours } of steps) {
    const id = pick([...payments.keys()], which) ?? UNKNOWN;
    const paid = payments.get(id);
    // Operations without a payment name one that does not exist.
    const target = `/transactions/${id || 'txn_none'}`;
    const isPart = hours % 2 === 1;
    const operation = isPart ? `${kind} in part` : kind;
    switch (kind) {
      case 'sale':
      case 'auth': {
        const method = METHODS[which % (METHODS.length + 1)];
        const way = method
          ? { card: { ...method.card, expiryMonth: '12', expiryYear: '2045' }, type: kind }
          : { type: 'sale', paymentMethod: 'ach', card: undefined, bankAccount: BANK };
        const currency = which % 9 === 8 ? 'EUR' : 'USD';
        const body = {
          ...cardBody(decimal(minor)),
          ...way,
          ...(which % 2 === 0 ? partsOf(minor, method !== undefined) : {}),
          currency,
          merchantId,
        };
        const made = granted(
          `${way.type} by ${method ? 'card' : 'bank'}, ${currency}`,
          await admin.post<TransactionRecord>('/transactions', body),
        );
        if (made) {
          const captured = way.type === 'sale' ? minor : 0;
          payments.set(made.transactionId, { currency, isCard: method !== undefined, held: minor, captured });
        }
        break;
      }
      case 'capture': {
        const part = Math.min(minor, paid?.held ?? 0);
        if (granted(operation, await admin.post(`${target}/capture`, isPart ? { amount: decimal(part) } : undefined)) && paid)
          paid.captured = isPart ? part : paid.held;
        break;
      }
      case 'void':
      case 'cancel-capture':
        if (granted(kind, await admin.post(`${target}/${kind}`)) && paid) paid.captured = 0;
        break;
      case 'refund': {
        const answer = await admin.post<RefundRecord>(`${target}/refund`, isPart ? { amount: decimal(Math.ceil(minor / 2)) } : undefined);
        const refund = granted(operation, answer);
        const declined = answer.status === 200 && answer.body.data?.refundId ? answer.body.data : undefined;
        if (refund) refunds.set(refund.refundId, { originalId: id, amount: isPart ? Math.ceil(minor / 2) : cents(refund.amount) });
        else if (declined) queued.set(declined.refundId, { originalId: id, amount: cents(declined.amount) });
        break;
      }
      case 'credit': {
        const made = granted(kind, await admin.post<TransactionRecord>(`${target}/credit`, { amount: decimal(minor) }));
        if (made) credits.set(made.transactionId, minor);
        break;
      }
      case 'chargeback':
        {
          const outcome = minor % 2 === 0 ? 'lost' : 'won';
          const body = { transactionId: id, ...(isPart ? {} : { outcome }) };
          const raised = granted(operation, await admin.post<DisputeRecord>('/sandbox/chargebacks', body));
          if (raised) disputeIds.add(raised.disputeId);
          // A lost chargeback and a new dispute may follow a lost one.
          if (raised && outcome === 'won' && !isPart) disputes.set(id, { ...disputes.get(id), active: 0 });
          else if (raised) disputes.set(id, withDispute(disputes.get(id), cents(raised.withheldAmount), isPart));
        }
        break;
      case 'decide': {
        const disputeId = pick([...disputeIds], which) ?? '';
        const { status, body: found } = await admin.get<DisputeRecord>(`/disputes/${disputeId}`);
        if (status !== 200 || found.data.withheldAmount === 0) break;
        const withheld = cents(found.data.withheldAmount);
        const outcome = minor % 2 === 0 ? 'lost' : 'won';
        const returned = isPart ? (minor % withheld) + (outcome === 'won' ? 1 : 0) : outcome === 'won' ? withheld : 0;
        const body = { outcome, ...(isPart && returned > 0 ? { returnedAmount: decimal(returned) } : {}) };
        if (granted(operation, await admin.post(`/disputes/${disputeId}/conclude`, body)))
          disputes.set(found.data.transactionId, withDispute(disputes.get(found.data.transactionId), withheld - returned, false));
        break;
      }
      case 'resolve':
      case 'give-up': {
        const open = await expectData(admin.get<QueueEntry[]>(`/refund-decline-queue?merchantId=${merchantId}&limit=200`));
        const entry = pick(open, which);
        if (!entry) break;
        const closed = await admin.post(`/refund-decline-queue/${entry.id}/${kind === 'resolve' ? 'resolve' : 'cancel'}`, {});
        const held = queued.get(entry.refundTransactionId);
        if (!granted(kind, closed) || !held) break;
        if (kind === 'resolve') outside.set(entry.refundTransactionId, held);
        queued.delete(entry.refundTransactionId);
        break;
      }
      case 'settle':
        granted(kind, await admin.post('/settlement/settle', { merchantId }));
        break;
      case 'payout':
        granted(operation, await admin.post('/settlement/payout', { merchantId, ...(isPart ? { amount: decimal(minor) } : {}) }));
        break;
      case 'batch': {
        const made = granted(kind, await admin.post<{ batchId: string }>('/settlement/batch-payouts/generate', { merchantId, ...PERIOD }));
        if (made) batches.push(made.batchId);
        break;
      }
      case 'batch-paid':
      case 'batch-failed': {
        const status = kind === 'batch-paid' ? 'paid' : 'failed';
        granted(kind, await admin.post(`/settlement/batch-payouts/${batches.at(-1)}/conclude`, { status }));
        break;
      }
      default:
        granted(kind, await admin.post('/sandbox/clock', { advanceSeconds: hours * 3_600 }));
    }
  }
  for (const disputeId of disputeIds) {
    const dispute = await expectData(admin.get<DisputeRecord>(`/disputes/${disputeId}`));
    for (const { movementId, amount } of dispute.movements)
      movements.set(movementId, { originalId: dispute.transactionId, amount: cents(amount) });
  }
  // Refunds that the queue retried are known only by their own record.
  for (const [refundId, refund] of queued) {
    const { status } = await expectData(admin.get<RefundRecord>(`/refunds/${refundId}`));
    if (status !== 'approved') continue;
    refunds.set(refundId, refund);
    did.set('refund by the queue', (did.get('refund by the queue') ?? 0) + 1);
  }
  return { payments, refunds, outside, credits, disputes, movements, batches, did };
}
