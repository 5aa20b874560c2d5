import { queryOptions } from '@tanstack/react-query';
import { ApiFailure, api, authorizedFetch, queryClient, takeData, takePage } from '#renderer/client';

const UNDER_WAY_MS = 2_000;
/** How often it is asked what became of a message, before whoever wants to know looks into the outbox. */
const ASKS_MAX = 60;
const MESSAGES_MAX = 20;

/** Which receipt: of a transaction, or of a refund of it. */
export interface ReceiptOf {
  readonly transactionId: string;
  readonly refundId?: string;
}

export const emailReceipt = (receipt: ReceiptOf, email: string) =>
  takeData(api.POST('/api/v1/notifications/receipt/email', { body: { ...receipt, email } }));

export const textReceipt = ({ transactionId }: ReceiptOf, phone: string) =>
  takeData(api.POST('/api/v1/notifications/receipt/sms', { body: { transactionId, phone } }));

/** Saves a receipt as PDF. Its address needs the session, so that no link can lead to it. */
export async function savePdf({ transactionId, refundId }: ReceiptOf): Promise<void> {
  const query = refundId === undefined ? '' : `?${new URLSearchParams({ refundId })}`;
  const response = await authorizedFetch(new Request(`/api/v1/notifications/receipts/${encodeURIComponent(transactionId)}/pdf${query}`));
  if (!response.ok) {
    throw new ApiFailure(`HTTP_${response.status}`, 'The PDF could not be made.', {
      status: response.status,
      requestId: response.headers.get('X-Request-Id') ?? undefined,
    });
  }
  const address = URL.createObjectURL(await response.blob());
  const link = document.createElement('a');
  link.href = address;
  link.download = `receipt-${refundId ?? transactionId}.pdf`;
  link.click();
  URL.revokeObjectURL(address);
}

/** What became of a message; asked again by itself while it is on its way. */
export function messageQuery(messageId: string) {
  return queryOptions({
    queryKey: ['messages', 'one', messageId],
    queryFn: () => takeData(api.GET('/api/v1/notifications/messages/{id}', { params: { path: { id: messageId } } })),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.status === 'queued' && state.dataUpdateCount < ASKS_MAX ? UNDER_WAY_MS : false),
  });
}

/** The newest messages that tell of something. */
export function messagesOfQuery(resourceId: string) {
  return queryOptions({
    queryKey: ['messages', 'of', resourceId],
    queryFn: async () =>
      (await takePage(api.GET('/api/v1/notifications/messages', { params: { query: { resourceId, limit: MESSAGES_MAX } } }))).items,
    staleTime: 0,
  });
}

/** The phone number on a customer's file. */
export function phoneQuery(customerId: string) {
  return queryOptions({
    queryKey: ['customers', 'phone', customerId],
    queryFn: async () => (await takeData(api.GET('/api/v1/customers/{id}', { params: { path: { id: customerId } } }))).phone ?? '',
  });
}

export const refreshMessages = () => queryClient.invalidateQueries({ queryKey: ['messages'] });
