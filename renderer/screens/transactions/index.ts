export { TransactionsScreen } from './transactions-screen.tsx';
