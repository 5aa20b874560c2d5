import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, type CardSave, type Customer, keptQuery, queryClient, take, takeData, takePage } from '#renderer/base/client';
import type { AgreementChannel } from '#renderer/shared/customers';
import type { Language } from '#shared/languages';
import type { SORTS } from './address.ts';
import { EXPIRING_DAYS, isCardSaveOpen } from './texts.ts';

/** Rows of a list at a time. */
export const PAGE_SIZE = 50;
/** Largest number that the service returns at once; no customer has more payment methods or subscriptions. */
const PAGE_SIZE_MAX = 200;
const LAST_PAYMENTS = 5;
const SAME_ADDRESS_MAX = 5;

/** A page of customers who match the typed text by the beginning of a word. */
export function listQuery(merchantId: string, q: string, sort: (typeof SORTS)[number], page: number) {
  return queryOptions({
    queryKey: ['customers', 'list', merchantId, q, sort, page],
    queryFn: ({ signal }) =>
      takePage(
        api.GET('/api/v1/customers', {
          params: { query: { merchantId, sort, page, limit: PAGE_SIZE, ...(q && { q }) } },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
}

/** Saved cards that are expired or expire soon, the earliest first. */
export function expiringQuery(merchantId: string, page: number) {
  return keptQuery(['customers', 'expiring', merchantId, page], (signal) =>
    takePage(
      api.GET('/api/v1/customers/expiring-cards', {
        params: { query: { page, limit: PAGE_SIZE, days: String(EXPIRING_DAYS), merchantId } },
        signal,
      }),
    ),
  );
}

const pathOf = (id: string) => ({ params: { path: { id } } });

/** One customer. */
export function customerQuery(id: string) {
  return queryOptions({
    queryKey: ['customers', 'one', id],
    queryFn: () => takeData(api.GET('/api/v1/customers/{id}', pathOf(id))),
    staleTime: 0,
  });
}

/** Choice of a customer about reminders of invoices. */
export function reminderChoiceQuery(id: string) {
  return queryOptions({
    queryKey: ['customers', 'one', id, 'reminders'],
    queryFn: () => takeData(api.GET('/api/v1/customers/{id}/reminders', pathOf(id))),
    staleTime: 0,
  });
}

/** Changes whether a customer gets reminders, or their language. */
export const chooseReminders = (id: string, body: { readonly enabled?: boolean; readonly language?: Language | null }) =>
  takeData(api.PUT('/api/v1/customers/{id}/reminders', { ...pathOf(id), body }));

/** Choice for a customer about late fees. */
export function lateFeeChoiceQuery(id: string) {
  return queryOptions({
    queryKey: ['customers', 'one', id, 'late-fees'],
    queryFn: () => takeData(api.GET('/api/v1/customers/{id}/late-fees', pathOf(id))),
    staleTime: 0,
  });
}
export const chooseLateFees = (id: string, enabled: boolean) =>
  takeData(api.PUT('/api/v1/customers/{id}/late-fees', { ...pathOf(id), body: { enabled } }));

/** Cards and accounts on file, the default first. */
export function methodsQuery(id: string) {
  return queryOptions({
    queryKey: ['customers', 'one', id, 'methods'],
    queryFn: () =>
      takePage(api.GET('/api/v1/customers/{id}/payment-methods', { params: { path: { id }, query: { limit: PAGE_SIZE_MAX } } })),
    staleTime: 0,
  });
}

/** Subscriptions of a customer, stored under the subscriptions, whose changes are published under that topic. */
export function subscriptionsQuery(customerId: string) {
  return queryOptions({
    queryKey: ['recurring', 'of-customer', customerId],
    queryFn: () => takePage(api.GET('/api/v1/recurring', { params: { query: { customerId, limit: PAGE_SIZE_MAX } } })),
    staleTime: 0,
  });
}

/**
 * Last payments of a customer with their number. The key belongs to the transaction counts, so that a payment of any workstation refreshes
 * it.
 */
export function paymentsQuery(id: string) {
  return queryOptions({
    queryKey: ['transactions', 'count', 'of-customer', id],
    queryFn: () => takePage(api.GET('/api/v1/customers/{id}/transactions', { params: { path: { id }, query: { limit: LAST_PAYMENTS } } })),
    staleTime: 0,
  });
}

/** Customers of the merchant with exactly this email address. */
export function sameEmailQuery(merchantId: string, email: string) {
  return queryOptions({
    queryKey: ['customers', 'same-email', merchantId, email],
    queryFn: async ({ signal }) => {
      const query = { merchantId, q: email, limit: SAME_ADDRESS_MAX };
      const { items } = await takePage(api.GET('/api/v1/customers', { params: { query }, signal }));
      return items.filter((customer) => customer.email?.toLowerCase() === email);
    },
    staleTime: 0,
  });
}

/** Changes of a customer; null clears a field. */
export type CustomerChange = Partial<Pick<Customer, 'firstName' | 'lastName' | 'email' | 'phone' | 'company' | 'address' | 'notes'>>;

/** Creates a customer. */
export const createCustomer = (merchantId: string, body: CustomerChange) =>
  takeData(api.POST('/api/v1/customers', { body: { merchantId, ...body } }));
/** Changes the fields that are given. */
export const changeCustomer = (id: string, body: CustomerChange) => takeData(api.PUT('/api/v1/customers/{id}', { ...pathOf(id), body }));
/** Deletes a customer with subscriptions and cards. */
export const deleteCustomer = (id: string) => takeData(api.DELETE('/api/v1/customers/{id}', pathOf(id)));

/** A card to send to the service. It is read from its fields for one request and never stored. */
export interface CardToStore {
  readonly number: string;
  readonly expiryMonth: string;
  readonly expiryYear: string;
}

/** Saves a card; if the number is already saved, updates that card. */
export const storeCard = (id: string, card: CardToStore, consentText: string, agreementChannel: AgreementChannel) =>
  takeData(
    api.POST('/api/v1/customers/{id}/payment-methods', {
      ...pathOf(id),
      body: { card, ...(consentText && { consentText }), agreementChannel },
    }),
  );

const methodPathOf = (id: string, pmId: string) => ({ params: { path: { id, pmId } } });

/** Makes a payment method the default. */
export const setDefault = (id: string, pmId: string) =>
  takeData(api.PUT('/api/v1/customers/{id}/payment-methods/{pmId}/set-default', methodPathOf(id, pmId)));
/** Deletes a card or account. */
export const removeMethod = (id: string, pmId: string) =>
  takeData(api.DELETE('/api/v1/customers/{id}/payment-methods/{pmId}', methodPathOf(id, pmId)));

/** Asks for a card on a reader, to store it. */
export async function startCardSave(id: string, terminalId: string, consentText: string): Promise<CardSave> {
  return (await take(api.POST('/api/v1/customers/{id}/card-saves', { ...pathOf(id), body: { terminalId, consentText } }))).data;
}
const cardSavePathOf = (id: string) => ({ params: { path: { id } } });
export const cancelCardSave = (id: string) => takeData(api.POST('/api/v1/card-saves/{id}/cancel', cardSavePathOf(id)));

const CARD_SAVE_POLL_MS = 1_000;
/** A request to store a card, read until it has an outcome. */
export const cardSaveQuery = (started: CardSave) =>
  queryOptions({
    queryKey: ['card-readers', 'card-save', started.cardSaveId],
    queryFn: (): Promise<CardSave> => takeData(api.GET('/api/v1/card-saves/{id}', cardSavePathOf(started.cardSaveId))),
    refetchInterval: ({ state }) => (isCardSaveOpen(state.data ?? started) ? CARD_SAVE_POLL_MS : false),
  });

/** Refreshes the lists after a change, or after a refusal that shows a change by another user. */
export const refreshCustomers = () => queryClient.invalidateQueries({ queryKey: ['customers'] });
