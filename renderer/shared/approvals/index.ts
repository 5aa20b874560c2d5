export { paymentFact, requestsOfDayFact } from './approval-facts.tsx';
export { ApprovalPrompt } from './approval-prompt.tsx';
export { DecisionDialog } from './decision-dialog.tsx';
export { PendingApprovals } from './pending-approvals.tsx';
export { ReasonPrompt } from './reason-prompt.tsx';
export { SwitchDialog } from './switch-dialog.tsx';
export { customerOf, factsOf, kindText, requestReasonOf } from './texts.ts';
