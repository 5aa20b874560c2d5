import { expect } from 'vitest';
import type { GiftCardRecord } from '../../support/gift-cards.ts';
import { bankBody, CARDS, cardBody, type TransactionRecord } from '../../support/sales.ts';
import { type ApiFixture, expectData } from '../../support/server.ts';
import type { TenderRecord } from '../../support/tenders.ts';
import {
  balanceOf,
  heldOf,
  isSpentFor,
  type Model,
  type ModelCard,
  type ModelPayment,
  type Payer,
  PREPAID,
  payableByGiftCards,
  remainingOf,
  type Step,
  settle,
} from './order-model.ts';

type StepOf<Kind extends Step['kind']> = Extract<Step, { kind: Kind }>;

/** The service with the customer whose store credit the orders share. */
export interface Walk extends ApiFixture {
  readonly customerId: string;
  /** Token of a stored card. */
  readonly token: string;
}

const CENTS = 100;
export const shown = (cents: number) => (cents / CENTS).toFixed(2);
export const cents = (amount: number) => Math.round(amount * CENTS);
/** Payers whose payments are transactions of a gateway. */
const NUMBERS = { card: CARDS.visa, prepaid: CARDS.prepaid, declined: CARDS.declined, stored: null, ach: null } as const;
const isGatewayPayer = (by: Payer): by is keyof typeof NUMBERS => by in NUMBERS;
/** Bank payments and checks can be returned for weeks, so they never become store credit. */
const isReturnable = (by: Payer) => by === 'check' || by === 'ach';
const isGiftPayer = (by: Payer) => by === 'gift' || by === 'credit';

/** Returns a payment of the order; undefined if it has none. */
const paymentAt = ({ payments }: Model, index: number) => payments[index % Math.max(1, payments.length)];

const post = <Data>({ api }: ApiFixture, path: string, body: object = {}) => api.admin.post<Data>(path, body);

/** Checks the answer to an operation that returns money of the order. Returns true if it was performed. */
function isDone(status: number, text: string, isPossible: boolean, isSpent: boolean | undefined): boolean {
  const done = status < 300;
  if (!isPossible) expect(done, text).toBe(false);
  else if (isSpent === undefined) expect(done || text.includes('gift_card_spent'), text).toBe(true);
  else {
    expect(done, text).toBe(!isSpent);
    if (isSpent) expect(text).toContain('gift_card_spent');
  }
  return done;
}

/** Performs a step at the service and in the model. */
export async function perform(walk: Walk, model: Model, step: Step): Promise<void> {
  switch (step.kind) {
    case 'pay':
      return pay(walk, model, step.share, step.tip, step.by);
    case 'rest':
      return pay(walk, model, Math.max(100, remainingOf(model)), 0, step.by);
    case 'void':
      return voidPayment(walk, model, step.index);
    case 'dispute':
      return dispute(walk, model, step.index);
    case 'decide':
      return decideDispute(walk, model, step);
    case 'return':
      return returnByBank(walk, model, step.index);
    case 'refund':
      return refundPart(walk, model, step);
    case 'store-credit':
      return refundToStoreCredit(walk, model, step);
    case 'refund-order':
      return refundOrder(walk, model, step);
    case 'park':
    case 'resume':
    case 'cancel':
      return move(walk, model, step.kind);
    default:
      return changeCard(walk, model, step);
  }
}

/** Returns the body of a payment by a gateway without its order. */
function sourceOf({ token }: Walk, by: keyof typeof NUMBERS, amount: number): object {
  if (by === 'ach') return bankBody(amount / CENTS);
  const number = NUMBERS[by];
  return { ...(number === null ? { amount: shown(amount), token } : cardBody(shown(amount), number)), allowPartialApproval: true };
}

async function pay(walk: Walk, model: Model, share: number, tip: number, by: Payer): Promise<void> {
  const { orderId, wallet, credit } = model;
  const amount = isGatewayPayer(by) ? share + tip : share;
  const { status, text, body } = isGatewayPayer(by)
    ? await post<TransactionRecord>(walk, '/transactions', { ...sourceOf(walk, by, amount), orderId, tipAmount: shown(tip) })
    : await post<TenderRecord>(walk, '/tenders', {
        kind: isGiftPayer(by) ? 'gift_card' : by,
        amount: shown(amount),
        orderId,
        ...(by === 'check' && { checkNumber: '1' }),
        ...(by === 'gift' && { giftCardCode: wallet.code }),
        ...(by === 'credit' && { giftCardId: credit.id, customerId: walk.customerId }),
      });
  const source = by === 'gift' ? wallet : credit;
  const isFunded =
    !isGiftPayer(by) || (source.status === 'active' && amount <= balanceOf(model, source) && amount <= payableByGiftCards(model));
  const isTaken = model.status === 'open' && share <= remainingOf(model) && isFunded;
  if (!isTaken) return void expect([409, 422], text).toContain(status);
  expect(status, text).toBeLessThan(300);
  if (by === 'declined') return;
  const data = (body as { data: Partial<TransactionRecord & TenderRecord> & { tipAmount?: number } }).data;
  const taken = cents(data.amount ?? 0);
  expect(taken).toBe(by === 'prepaid' ? Math.min(amount, PREPAID) : amount);
  const takenTip = isGatewayPayer(by) ? cents(data.tipAmount ?? 0) : 0;
  const payment = { id: data.transactionId ?? data.tenderId ?? '', by, share: taken - takenTip, amount: taken, tip: takenTip };
  model.payments.push({
    ...payment,
    returned: 0,
    refunded: 0,
    total: 0,
    isVoid: false,
    isReturned: false,
    isDisputed: false,
    outcome: null,
  });
  if (isGiftPayer(by)) source.own -= taken;
  settle(model);
}

async function voidPayment(walk: Walk, model: Model, index: number): Promise<void> {
  const payment = paymentAt(model, index);
  if (payment === undefined || !isGatewayPayer(payment.by) || payment.outcome !== null) return;
  const { status, text } = await post(walk, `/transactions/${payment.id}/void`);
  const isPossible = !payment.isVoid && !payment.isDisputed && payment.total === 0;
  if (isDone(status, text, isPossible, isSpentFor(model, payment.share, true))) reverse(model, payment);
}

async function dispute(walk: Walk, model: Model, index: number): Promise<void> {
  const isOpen = ({ by, isVoid, isDisputed, outcome, total }: ModelPayment) =>
    isGatewayPayer(by) && !isVoid && !isDisputed && outcome === null && total === 0;
  const payments = model.payments.filter(isOpen);
  const payment = payments[index % Math.max(1, payments.length)];
  if (payment === undefined) return;
  await expectData(post(walk, '/sandbox/chargebacks', { transactionId: payment.id, reason: 'fraudulent' }));
  payment.isDisputed = true;
}

/** Concludes the dispute of a payment. The merchant has the money again if it is won. */
async function decideDispute(walk: Walk, model: Model, { outcome }: StepOf<'decide'>): Promise<void> {
  const payment = model.payments.find((each) => each.isDisputed && each.outcome === null);
  if (payment === undefined) return;
  await expectData(post(walk, '/sandbox/chargebacks', { transactionId: payment.id, outcome }));
  payment.outcome = outcome;
  payment.isDisputed = outcome === 'lost';
}

/** Returns a check or a bank payment by the bank, which asks nobody: the money leaves also if it was refunded in part, or a gift card was spent. */
async function returnByBank(walk: Walk, model: Model, index: number): Promise<void> {
  const payments = model.payments.filter(({ by, isDisputed }) => isReturnable(by) && !isDisputed);
  const payment = payments[index % Math.max(1, payments.length)];
  if (payment === undefined) return;
  const isCheck = payment.by === 'check';
  const { status, text } = isCheck
    ? await post(walk, `/tenders/${payment.id}/return`)
    : await post(walk, '/sandbox/returns', { transactionId: payment.id });
  expect(status === 200, text).toBe(!payment.isVoid);
  if (payment.isVoid) return;
  payment.isReturned = true;
  reverse(model, payment);
}

/** Gives the whole share of a payment back. */
function reverse(model: Model, payment: ModelPayment): void {
  payment.isVoid = true;
  payment.returned = payment.share - payment.refunded;
  settle(model);
}

const leftOf = (payment: ModelPayment) => (payment.isVoid || payment.isDisputed ? 0 : payment.amount - payment.total);

/** Counts a refund of a payment with the part of its tip. */
function count(model: Model, payment: ModelPayment, amount: number, tip: number): void {
  payment.total += amount;
  payment.tip -= tip;
  if (model.status === 'paid') payment.refunded += amount - tip;
  else payment.returned += amount - tip;
  settle(model);
}

/** Returns the tip within a proportional refund: all of it if nothing remains, otherwise as the service says. */
async function tipOf({ api }: Walk, payment: ModelPayment, refundId: string): Promise<number> {
  if (payment.tip === 0) return 0;
  return cents((await expectData(api.admin.get<{ tipAmount: number }>(`/refunds/${refundId}`))).tipAmount);
}

/** Refunds a part of what remains of a payment, or a part of its tip only. */
async function refundPart(walk: Walk, model: Model, { index, part, isTip }: StepOf<'refund'>): Promise<void> {
  const payment = paymentAt(model, index);
  if (payment === undefined) return;
  const isTipOnly = isTip && payment.tip > 0;
  await refund(walk, model, payment, Math.max(1, Math.floor((isTipOnly ? payment.tip : leftOf(payment)) / part)), isTipOnly);
}

async function refund(walk: Walk, model: Model, payment: ModelPayment, amount: number, isTipOnly: boolean): Promise<void> {
  const path = isGatewayPayer(payment.by) ? `/transactions/${payment.id}/refund/partial` : `/tenders/${payment.id}/refund`;
  const { status, text, body } = await post<{ tipAmount?: number }>(walk, path, {
    amount: shown(amount),
    ...(isTipOnly && { tipAmount: shown(amount) }),
  });
  const share = isTipOnly ? 0 : shareOf(payment, amount);
  if (!isDone(status, text, leftOf(payment) > 0, isSpentFor(model, share, false))) return;
  count(model, payment, amount, isTipOnly ? amount : cents(('data' in body && body.data.tipAmount) || 0));
  if (isGiftPayer(payment.by)) (payment.by === 'gift' ? model.wallet : model.credit).own += amount;
}

/** Returns the part of a refund that is not tip: the tip has its proportion, rounded down, unless only it remains. */
function shareOf(payment: ModelPayment, amount: number): number {
  const left = leftOf(payment);
  if (left === 0) return 0;
  const tip = Math.floor((payment.tip * amount) / left);
  return Math.min(amount - tip, left - payment.tip);
}

async function refundToStoreCredit(walk: Walk, model: Model, { index, part }: StepOf<'store-credit'>): Promise<void> {
  const payment = paymentAt(model, index);
  if (payment === undefined) return;
  const amount = Math.max(1, Math.floor(leftOf(payment) / part));
  const body = { paymentId: payment.id, amount: shown(amount), customerId: walk.customerId };
  const { status, text, body: answer } = await post<{ refunds: { refundId: string }[] }>(walk, '/gift-cards/refund', body);
  const isPossible = leftOf(payment) > 0 && !isGiftPayer(payment.by) && !isReturnable(payment.by);
  if (!isDone(status, text, isPossible, isSpentFor(model, shareOf(payment, amount), false))) return;
  const [refunded] = 'data' in answer ? answer.data.refunds : [];
  count(model, payment, amount, await tipOf(walk, payment, refunded?.refundId ?? ''));
  model.credit.own += amount;
}

interface Share {
  readonly paymentId: string;
  readonly amount: number;
  readonly refundId?: string;
}

/** Refunds the shares of an order that the service proposes, each to its payment, or all of them to the store credit. */
async function refundOrder(walk: Walk, model: Model, { part, isStoreCredit }: StepOf<'refund-order'>): Promise<void> {
  const includes = ({ by }: ModelPayment) => !isStoreCredit || (!isGiftPayer(by) && !isReturnable(by));
  const left = model.payments.filter(includes).reduce((sum, payment) => sum + leftOf(payment), 0);
  const amount = Math.max(1, Math.floor(left / part));
  const { orderId } = model;
  const paymentOf = ({ paymentId }: Share) => model.payments.find(({ id }) => id === paymentId) as ModelPayment;
  const check = (shares: readonly Share[]) => {
    expect(shares.reduce((sum, share) => sum + cents(share.amount), 0)).toBe(amount);
    for (const share of shares) expect(cents(share.amount)).toBeLessThanOrEqual(leftOf(paymentOf(share)));
  };
  if (!isStoreCredit) {
    const { status, text, body } = await walk.api.admin.get<{ refunds: Share[] }>(
      `/orders/${orderId}/refund-proposal?amount=${shown(amount)}`,
    );
    expect(status === 200, text).toBe(left > 0);
    if (!('data' in body)) return;
    check(body.data.refunds);
    for (const share of body.data.refunds) await refund(walk, model, paymentOf(share), cents(share.amount), false);
    return;
  }
  const body = { orderId, amount: shown(amount), customerId: walk.customerId };
  const { status, text, body: answer } = await post<{ refunds: Share[] }>(walk, '/gift-cards/refund', body);
  // The tips decide how much of the shares returns, so only a refund without a gift card is predicted.
  const isSpent = model.loaded === 0 ? false : undefined;
  if (!isDone(status, text, left > 0, isSpent) || !('data' in answer)) return;
  check(answer.data.refunds);
  for (const share of answer.data.refunds) {
    const payment = paymentOf(share);
    count(model, payment, cents(share.amount), await tipOf(walk, payment, share.refundId ?? ''));
  }
  model.credit.own += amount;
}

async function move(walk: Walk, model: Model, kind: 'park' | 'resume' | 'cancel'): Promise<void> {
  const isPossible = {
    park: model.status === 'open' && heldOf(model) === 0,
    resume: model.status === 'parked',
    cancel: (model.status === 'open' || model.status === 'parked') && heldOf(model) === 0,
  }[kind];
  const { status } = await walk.api.admin.post(`/orders/${model.orderId}/${kind}`, kind === 'resume' ? undefined : {});
  expect(status === 200).toBe(isPossible);
  if (!isPossible) return;
  model.status = ({ park: 'parked', resume: 'open', cancel: 'canceled' } as const)[kind];
  if (kind === 'cancel' && model.sold?.status === 'pending') model.sold.status = 'canceled';
}

async function changeCard(walk: Walk, model: Model, step: StepOf<'block' | 'unblock' | 'replace' | 'reload' | 'spend'>): Promise<void> {
  const card = step.card === 'sold' ? model.sold : model.wallet;
  if (card === null) return;
  if (step.kind === 'spend') return spend(walk, model, card, step.amount);
  const isPossible = {
    block: card.status === 'active',
    unblock: card.status === 'blocked',
    replace: card.status === 'active' || card.status === 'blocked',
    reload: card.status === 'active',
  }[step.kind];
  const body = step.kind === 'reload' ? { amount: shown(step.amount), reason: 'Long wait' } : {};
  const answer = await walk.api.admin.post<GiftCardRecord>(
    `/gift-cards/${card.id}/${step.kind}`,
    step.kind === 'unblock' ? undefined : body,
  );
  expect(answer.status < 300, answer.text).toBe(isPossible);
  if (!isPossible || !('data' in answer.body)) return;
  if (step.kind === 'reload') card.own += step.amount;
  else card.status = step.kind === 'block' ? 'blocked' : 'active';
  if (step.kind === 'block' && card === model.sold) model.wasBlocked = true;
  if (step.kind === 'replace') {
    const { giftCardId, code } = answer.body.data;
    Object.assign(card, { id: giftCardId, code: String(code) });
  }
}

/** Pays a sale without an order. */
async function spend(walk: Walk, model: Model, card: ModelCard, amount: number): Promise<void> {
  const body = { kind: 'gift_card', giftCardCode: card.code, amount: shown(amount) };
  const { status, text } = await post(walk, '/tenders', body);
  // A code that was never paid is unknown; too many unknown codes are refused.
  const isPossible = card.status === 'active' && amount <= balanceOf(model, card);
  expect(status < 300, text).toBe(isPossible);
  if (isPossible) card.own -= amount;
}
