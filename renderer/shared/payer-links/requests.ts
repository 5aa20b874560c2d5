import { queryOptions } from '@tanstack/react-query';
import { api, takeData, takePage } from '#renderer/base/client';

/** Subject of a link to the page on which a customer replaces a card. */
export type UpdateSubject =
  | { readonly subscriptionId: string; readonly customerId: string }
  | { readonly customerId: string; readonly paymentMethodId: string };

export type Channel = 'email' | 'sms';

/** Creates a link and sends it by the chosen channels. */
export function createUpdateLink(subject: UpdateSubject, sendVia: Channel[]) {
  const body = sendVia.length === 0 ? {} : { sendVia };
  if ('subscriptionId' in subject)
    return takeData(api.POST('/api/v1/recurring/{id}/update-link', { params: { path: { id: subject.subscriptionId } }, body }));
  const { customerId, paymentMethodId } = subject;
  return takeData(
    api.POST('/api/v1/customers/{id}/update-link', { params: { path: { id: customerId } }, body: { ...body, paymentMethodId } }),
  );
}

/** Creates a link to the page of a customer and sends it by the chosen channels. */
export function createPageLink(customerId: string, sendVia: Channel[]) {
  const body = sendVia.length === 0 ? {} : { sendVia };
  return takeData(api.POST('/api/v1/customers/{id}/page-links', { params: { path: { id: customerId } }, body }));
}

export const pageLinksQuery = (customerId: string) =>
  queryOptions({
    queryKey: ['customers', customerId, 'page-links'],
    queryFn: () => takePage(api.GET('/api/v1/customers/{id}/page-links', { params: { path: { id: customerId }, query: { limit: 50 } } })),
  });

/** A link to the page of a customer, without its address. */
export type PageLink = Awaited<ReturnType<NonNullable<ReturnType<typeof pageLinksQuery>['queryFn']>>>['items'][number];

/** Revokes a link to the page of a customer, or all of them. */
export function revokePageLinks(customerId: string, linkId?: string) {
  if (linkId === undefined) return takeData(api.DELETE('/api/v1/customers/{id}/page-links', { params: { path: { id: customerId } } }));
  return takeData(api.DELETE('/api/v1/customers/{id}/page-links/{linkId}', { params: { path: { id: customerId, linkId } } }));
}
