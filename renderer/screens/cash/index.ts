export { CashScreen } from './cash-screen.tsx';
export { ShiftChip } from './shift-chip.tsx';
