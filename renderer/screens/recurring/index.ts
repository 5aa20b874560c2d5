export { InstallmentPlansScreen } from './plans-tab.tsx';
export { RecurringScreen } from './recurring-screen.tsx';
