export { MessageList } from './message-list.tsx';
export { messageTitle } from './message-title.ts';
export { paymentOfOrder, paymentOfTender, recordActionsOf } from './receipt-action.ts';
export { ReceiptBar } from './receipt-bar.tsx';
export { messagesAboutQuery } from './requests.ts';
export { useBulkReceipts } from './use-bulk-receipts.ts';
export { useReceiptDelivery } from './use-receipt-delivery.tsx';
