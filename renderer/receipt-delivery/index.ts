export { MessageList } from './message-list.tsx';
export { ReceiptBar } from './receipt-bar.tsx';

export { useReceiptDelivery } from './use-receipt-delivery.tsx';
