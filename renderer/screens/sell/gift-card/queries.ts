import { queryOptions } from '@tanstack/react-query';
import { api, takeData, takePage } from '#renderer/base/client';

/** True if a merchant has a gift card or store credit, so that the screen offers to pay with one. */
export const hasGiftCardsQuery = (merchantId: string) =>
  queryOptions({
    queryKey: ['gift-cards', 'any', merchantId],
    queryFn: async () => (await takePage(api.GET('/api/v1/gift-cards', { params: { query: { merchantId, limit: 1 } } }))).items.length > 0,
  });

/** Store credit of a customer that can pay; null if there is none. */
export const storeCreditQuery = (merchantId: string, customerId: string) =>
  queryOptions({
    queryKey: ['gift-cards', 'credit', merchantId, customerId],
    queryFn: async () => {
      const query = { merchantId, customerId, kind: 'store_credit', status: 'active', limit: 1 } as const;
      const { items } = await takePage(api.GET('/api/v1/gift-cards', { params: { query } }));
      return items.find(({ balance }) => balance > 0) ?? null;
    },
    staleTime: 0,
  });

/** A code as it was typed or read. */
export interface TypedCode {
  readonly code: string;
  readonly pin: string;
}

/** Returns the body that names a code; an empty PIN is none. */
export const codeBody = ({ code, pin }: TypedCode) => ({ code: code.trim(), ...(pin.trim() && { pin: pin.trim() }) });

/** Returns the card with a code. The code is in the body, so that no address and no log contains it. @throws ApiFailure */
export const findGiftCard = (merchantId: string, typed: TypedCode) =>
  takeData(api.POST('/api/v1/gift-cards/balance', { body: { ...codeBody(typed), merchantId } }));
