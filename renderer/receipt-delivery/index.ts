export { MessageList } from './message-list.tsx';
export { ReceiptBar, type ReceiptBarProps } from './receipt-bar.tsx';
export type { ReceiptPayment, ReceiptWay, SentReceipt } from './receipt-way.ts';
export { type ReceiptDelivery, useReceiptDelivery } from './use-receipt-delivery.tsx';
