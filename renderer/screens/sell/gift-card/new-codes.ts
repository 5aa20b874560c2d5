import type { CreatedOrder } from '#renderer/base/client';
import { createStore } from '#renderer/base/module-state';
import { onDiscard } from '#renderer/session/user';

/** Codes of the new gift cards of one order, by card. */
type Codes = Readonly<Record<string, string>>;

/**
 * Codes of new gift cards, by order. The service returns each code once, so they are kept until the customer has them or the person at the screen changes:
 * only in the memory of the page, and in no storage.
 */
const useCodes = createStore<Readonly<Record<string, Codes>>>()(() => ({}));

const NONE: Codes = {};

onDiscard(() => useCodes.setState({}, true));

export function rememberCodes({ orderId, giftCards }: CreatedOrder): void {
  const codes = Object.fromEntries(giftCards.flatMap(({ giftCardId, code }) => (code === null ? [] : [[giftCardId, code]])));
  if (Object.keys(codes).length > 0) useCodes.setState({ [orderId]: codes });
}

/** Returns the codes of the new gift cards of an order that this page created, by card. */
export const useNewCodes = (orderId: string): Codes => useCodes((all) => all[orderId] ?? NONE);

/** Forgets the codes of an order, because the customer has them. */
export function forgetCodes(orderId: string): void {
  useCodes.setState(({ [orderId]: _, ...others }) => others, true);
}
