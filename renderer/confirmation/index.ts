export { ConfirmationPrompt } from './confirmation-prompt.tsx';
export { type Confirmation, withCode, withConfirmation } from './with-confirmation.ts';
