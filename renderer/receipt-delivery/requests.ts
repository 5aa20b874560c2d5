import { queryOptions } from '@tanstack/react-query';
import { api, queryClient, requestFile, takeData, takePage } from '#renderer/client';
import { saveAs } from '#renderer/download';

const UNDER_WAY_MS = 2_000;
/** Largest number of status checks of a message; afterwards the outbox shows its status. */
const ASKS_MAX = 60;
const MESSAGES_MAX = 20;

/** Which receipt: of a transaction, or of a refund of it. */
interface ReceiptOf {
  readonly transactionId: string;
  readonly refundId?: string;
}

export const emailReceipt = (receipt: ReceiptOf, email: string) =>
  takeData(api.POST('/api/v1/notifications/receipt/email', { body: { ...receipt, email } }));

export const textReceipt = ({ transactionId }: ReceiptOf, phone: string) =>
  takeData(api.POST('/api/v1/notifications/receipt/sms', { body: { transactionId, phone } }));

/** Saves a receipt as PDF. */
export async function savePdf({ transactionId, refundId }: ReceiptOf): Promise<void> {
  const query = refundId === undefined ? '' : `?${new URLSearchParams({ refundId })}`;
  const file = await requestFile(`/api/v1/notifications/receipts/${encodeURIComponent(transactionId)}/pdf${query}`);
  saveAs(await file.blob(), `receipt-${refundId ?? transactionId}.pdf`);
}

/** Status of a message, polled while it is on its way. */
export function messageQuery(messageId: string) {
  return queryOptions({
    queryKey: ['messages', 'one', messageId],
    queryFn: () => takeData(api.GET('/api/v1/notifications/messages/{id}', { params: { path: { id: messageId } } })),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.status === 'queued' && state.dataUpdateCount < ASKS_MAX ? UNDER_WAY_MS : false),
  });
}

/** The newest messages about a record. */
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
