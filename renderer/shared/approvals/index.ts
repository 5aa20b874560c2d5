export { ApprovalPrompt } from './approval-prompt.tsx';
export { DecisionDialog } from './decision-dialog.tsx';
export { PendingApprovalsButton } from './pending-button.tsx';
export { PersonForm } from './person-form.tsx';
export { PinField } from './pin-field.tsx';
export { SwitchDialog } from './switch-dialog.tsx';
export { factsOf, kindText } from './texts.ts';
