import { createOrder } from './orders.ts';
import { type ApiFixture, expectData } from './server.ts';
import { takeTender } from './tenders.ts';

/** The fields of a gift card that the tests read. */
export interface GiftCardRecord {
  giftCardId: string;
  kind: string;
  status: string;
  balance: number;
  lastCharacters: string | null;
  customerId: string | null;
  replacedBy: string | null;
  expiresOn: string | null;
  expiredAmount: number;
  code?: string | null;
  entries?: { kind: string; amount: number; balance: number; subjectId: string | null; reason: string | null; approvedBy: string | null }[];
  actions?: Record<string, { allowed: boolean; code?: string }>;
}

export interface SoldGiftCard {
  readonly orderId: string;
  readonly giftCardId: string;
  readonly code: string;
  /** Tender that paid the order. */
  readonly tenderId: string;
}

type Fixture = Pick<ApiFixture, 'api'>;

/** Orders a gift card. */
export async function orderGiftCard(fixture: Fixture, amount: number, more: Record<string, unknown> = {}) {
  const order = await createOrder(fixture, { giftCards: [{ amount }], ...more });
  const [card] = (order as unknown as { giftCards: { giftCardId: string; code: string; lastCharacters: string }[] }).giftCards;
  if (card === undefined) throw new Error('The order has no gift card.');
  return { ...card, orderId: order.orderId, amount: order.amount };
}

/** Sells a gift card for a check. */
export async function sellGiftCard(fixture: ApiFixture, amount: number, more: Record<string, unknown> = {}): Promise<SoldGiftCard> {
  const { orderId, giftCardId, code, amount: total } = await orderGiftCard(fixture, amount, more);
  const of = 'merchantId' in more ? { merchantId: more.merchantId } : {};
  const { tenderId } = await takeTender(fixture, total, { kind: 'check', checkNumber: '7', orderId, ...of });
  return { orderId, giftCardId, code, tenderId };
}

/** Repeats requests with a new caller if the hour, in which guesses are counted, changes between the first and the last one. */
export async function inOneHour<Result>(send: () => Promise<Result>): Promise<Result> {
  const hour = () => Math.floor(Date.now() / 3_600_000);
  for (;;) {
    const first = hour();
    const result = await send();
    if (hour() === first) return result;
  }
}

export const getGiftCard = ({ api }: Fixture, giftCardId: string) => expectData(api.admin.get<GiftCardRecord>(`/gift-cards/${giftCardId}`));

export const giveGiftCard = ({ api }: Fixture, amount: number, more: Record<string, unknown> = {}) =>
  expectData(api.admin.post<GiftCardRecord>('/gift-cards', { amount, reason: 'Late delivery', ...more }), 201);

export const redeem = ({ api }: Fixture, giftCardCode: string, amount: number, more: Record<string, unknown> = {}) =>
  api.admin.post<{ tenderId: string }>('/tenders', { kind: 'gift_card', giftCardCode, amount, ...more });

/** Returns what the ledger owes to holders of gift cards, and the sum of the balances of all cards. */
export async function liabilityOf({ api }: Fixture): Promise<{ readonly ledger: number; readonly cards: number }> {
  const { merchants } = await expectData(
    api.admin.get<{ merchants: { currency: string; accounts: { giftCards: number } }[] }>('/settlement/ledger'),
  );
  const sum = (amounts: readonly number[]) => Math.round(amounts.reduce((total, amount) => total + amount * 100, 0));
  const cards = await expectData(api.admin.get<{ balance: number }[]>('/gift-cards?limit=100'));
  return { ledger: 0 - sum(merchants.map(({ accounts }) => accounts.giftCards)), cards: sum(cards.map(({ balance }) => balance)) };
}
