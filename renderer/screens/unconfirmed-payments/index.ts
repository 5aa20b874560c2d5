export { UnconfirmedPaymentsScreen } from './unconfirmed-payments-screen.tsx';
