export { ConfirmationPrompt } from './confirmation-prompt.tsx';
export { withCode, withConfirmation } from './with-confirmation.ts';
