import type { EventType } from '#shared/webhook-events';
import { withGiftCardExpiry } from './flows-with-rules.ts';
import type { Flow, TriggerRun } from './trigger-run.ts';

/** Time after which cards have expired that expire after a month. */
const EXPIRED_SECONDS = 33 * 86_400;
/** Days until the new last day of an extended card. */
const EXTENDED_DAYS = 60;

interface SoldCard {
  readonly orderId: string;
  readonly giftCardId: string;
  readonly code: string;
}

/** Orders a gift card of 50. */
async function order(run: TriggerRun): Promise<SoldCard> {
  const created = await run.office.post<{ orderId: string; giftCards: { giftCardId: string; code: string }[] }>('/orders', {
    giftCards: [{ amount: 50 }],
  });
  const [card] = created.giftCards;
  return { orderId: created.orderId, giftCardId: card?.giftCardId ?? '', code: card?.code ?? '' };
}

const tender = async (run: TriggerRun, body: object): Promise<string> =>
  (await run.office.post<{ tenderId: string }>('/tenders', body)).tenderId;

/** Sells a gift card of 50 for a check. */
async function sell(run: TriggerRun): Promise<SoldCard & { readonly tenderId: string }> {
  const card = await order(run);
  return { ...card, tenderId: await tender(run, { kind: 'check', amount: 50, checkNumber: '1042', orderId: card.orderId }) };
}

const change =
  (...operations: readonly ('block' | 'unblock' | 'replace')[]): Flow =>
  async (run) => {
    const params = { id: (await sell(run)).giftCardId };
    for (const operation of operations)
      await run.office.post(`/gift-cards/{id}/${operation}`, operation === 'unblock' ? undefined : {}, { params });
  };

const redeem = async (run: TriggerRun) => tender(run, { kind: 'gift_card', amount: 20, giftCardCode: (await sell(run)).code });
const refund = async (run: TriggerRun, id: string) => run.office.post('/tenders/{id}/refund', {}, { params: { id } });

/** Lets a card expire, which is sold while cards expire after a month. Returns its ID. */
async function expired(run: TriggerRun): Promise<string> {
  const { giftCardId } = await sell(run);
  await run.moveClock(EXPIRED_SECONDS);
  return giftCardId;
}

const extend = async (run: TriggerRun, id: string) => {
  const body = { expiresOn: await run.dayAfter(EXTENDED_DAYS), reason: 'Agreed with the customer' };
  await run.office.post('/gift-cards/{id}/extend', body, { params: { id } });
};

type GiftCardEvent = Extract<EventType, `gift_card.${string}`>;

/** Flows of the events about gift cards. */
export const GIFT_CARD_FLOWS: Record<GiftCardEvent, Flow> = {
  'gift_card.issued': async (run) => void (await sell(run)),
  'gift_card.loaded': async (run) => {
    const { giftCardId: id } = await sell(run);
    await run.office.post('/gift-cards/{id}/reload', { amount: 10, reason: 'Late delivery' }, { params: { id } });
  },
  'gift_card.reduced': async (run) => void (await refund(run, (await sell(run)).tenderId)),
  'gift_card.redeemed': async (run) => void (await redeem(run)),
  'gift_card.refunded': async (run) => void (await refund(run, await redeem(run))),
  'gift_card.blocked': change('block'),
  'gift_card.unblocked': change('block', 'unblock'),
  'gift_card.replaced': change('replace'),
  'gift_card.assigned': async (run) => {
    const [customerId, { giftCardId: id }] = [await run.createCustomer(), await sell(run)];
    await run.office.post('/gift-cards/{id}/assign', { customerId }, { params: { id } });
  },
  'gift_card.expired': (run) => withGiftCardExpiry(run, async () => void (await expired(run))),
  'gift_card.extended': (run) => withGiftCardExpiry(run, async () => extend(run, (await sell(run)).giftCardId)),
  'gift_card.reinstated': (run) => withGiftCardExpiry(run, async () => extend(run, await expired(run))),
  'gift_card.canceled': async (run) => {
    const { orderId: id } = await order(run);
    await run.office.post('/orders/{id}/cancel', {}, { params: { id } });
  },
};
