import { queryOptions } from '@tanstack/react-query';
import { api, queryClient, requestFile, takeData, takePage } from '#renderer/base/client';
import { saveAs } from '#renderer/session/download';

const MESSAGES_MAX = 20;

/** IDs of a receipt: of a transaction, tender or order, or of one of its refunds. */
interface ReceiptIds {
  readonly transactionId: string;
  readonly refundId?: string;
}

export const emailReceipt = ({ transactionId, ...rest }: ReceiptIds, email: string) => {
  const subject = isTender(transactionId) ? { tenderId: transactionId } : subjectOf(transactionId);
  return takeData(api.POST('/api/v1/notifications/receipt/email', { body: { ...subject, ...rest, email } }));
};

/** Returns true for the ID of a tender, whose receipt is not sent as a text message. */
export const isTender = (id: string) => id.startsWith('tnd_');

const subjectOf = (id: string) => (id.startsWith('ord_') ? { orderId: id } : { transactionId: id });

export const textReceipt = ({ transactionId }: ReceiptIds, phone: string) =>
  takeData(api.POST('/api/v1/notifications/receipt/sms', { body: { ...subjectOf(transactionId), phone } }));

/** Saves a receipt as PDF. */
export async function savePdf({ transactionId, refundId }: ReceiptIds): Promise<void> {
  const query = refundId === undefined ? '' : `?${new URLSearchParams({ refundId })}`;
  const file = await requestFile(`/api/v1/notifications/receipts/${encodeURIComponent(transactionId)}/pdf${query}`);
  saveAs(await file.blob(), `receipt-${refundId ?? transactionId}.pdf`);
}

/** The newest messages about a record. */
export function messagesAboutQuery(resourceId: string) {
  return queryOptions({
    queryKey: ['messages', 'of', resourceId],
    queryFn: async () =>
      (await takePage(api.GET('/api/v1/notifications/messages', { params: { query: { resourceId, limit: MESSAGES_MAX } } }))).items,
    staleTime: 0,
  });
}

/** Phone number of a customer. */
export function phoneQuery(customerId: string) {
  return queryOptions({
    queryKey: ['customers', 'phone', customerId],
    queryFn: async () => (await takeData(api.GET('/api/v1/customers/{id}', { params: { path: { id: customerId } } }))).phone ?? '',
  });
}

export const refreshMessages = () => queryClient.invalidateQueries({ queryKey: ['messages'] });
