export { InstallmentSection } from './installment-section.tsx';
export { PlanDialog } from './plan-dialog.tsx';
