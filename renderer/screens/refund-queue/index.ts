export { RefundQueueScreen } from './refund-queue-screen.tsx';
