export { CashScreen } from './cash-screen.tsx';
export { OpenShiftButton } from './open-shift-button.tsx';
export { ShiftChip } from './shift-chip.tsx';
