export { CashScreen } from './cash-screen.tsx';
