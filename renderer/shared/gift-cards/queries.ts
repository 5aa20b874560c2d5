import { queryOptions } from '@tanstack/react-query';
import { api, keptQuery, queryClient, takeData, takePage } from '#renderer/base/client';

/** Cards that the record of a customer lists. */
const CUSTOMER_CARDS = 20;

/** A code as it was typed or read. */
interface TypedCode {
  readonly code: string;
  readonly pin: string;
}

/** Returns the body that names a code; an empty PIN is none. */
export const codeBody = ({ code, pin }: TypedCode) => ({ code: code.trim(), ...(pin.trim() && { pin: pin.trim() }) });

/** Returns the card with a code. The code is in the body, so that no address and no log contains it. @throws ApiFailure */
export const findGiftCard = (merchantId: string, typed: TypedCode) =>
  takeData(api.POST('/api/v1/gift-cards/balance', { body: { ...codeBody(typed), merchantId } }));

/** True if a merchant has a gift card or store credit, so that the screen offers to pay with one. */
export const hasGiftCardsQuery = (merchantId: string) =>
  queryOptions({
    queryKey: ['gift-cards', 'any', merchantId],
    queryFn: async () => (await takePage(api.GET('/api/v1/gift-cards', { params: { query: { merchantId, limit: 1 } } }))).items.length > 0,
  });

export function giftCardQuery(id: string) {
  return queryOptions({
    queryKey: ['gift-cards', 'one', id],
    queryFn: () => takeData(api.GET('/api/v1/gift-cards/{id}', { params: { path: { id } } })),
  });
}

/** Gift cards and store credit of a customer, newest first. */
export function customerGiftCardsQuery(merchantId: string, customerId: string) {
  const query = { merchantId, customerId, limit: CUSTOMER_CARDS };
  return queryOptions({
    queryKey: ['gift-cards', 'customer', query],
    queryFn: async ({ signal }) => (await takePage(api.GET('/api/v1/gift-cards', { params: { query }, signal }))).items,
  });
}

/** Gives a new card, or store credit to a customer. @throws ApiFailure */
export const giveGiftCard = (body: { amount: string; reason: string; merchantId: string; customerId?: string }, key: string) =>
  takeData(api.POST('/api/v1/gift-cards', { body, params: { header: { 'Idempotency-Key': key } } }));

export const refreshGiftCards = () => queryClient.invalidateQueries({ queryKey: ['gift-cards'] });

/** Movements of gift cards in a period. Grouped by merchant, the report covers all merchants that the user may see. */
export function giftCardReportQuery(
  merchantId: string,
  days: { readonly startDate: string; readonly endDate: string },
  groupBy: 'day' | 'week' | 'month' | 'merchant',
) {
  const query = { ...days, groupBy, ...(groupBy !== 'merchant' && { merchantId }) };
  return keptQuery(['reports', 'gift-cards', query], (signal) =>
    takeData(api.GET('/api/v1/reporting/gift-cards', { params: { query }, signal })),
  );
}
