import { api, takeData } from '#renderer/base/client';

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
