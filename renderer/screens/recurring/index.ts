export { RecurringScreen } from './recurring-screen.tsx';
