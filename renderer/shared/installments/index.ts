export { InstallmentSection, PlanContent } from './installment-section.tsx';
export { PlanDialog } from './plan-dialog.tsx';
export { planQuery } from './queries.ts';
