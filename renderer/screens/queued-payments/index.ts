export { QueuedPaymentsScreen } from './queued-payments-screen.tsx';
