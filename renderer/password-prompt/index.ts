export { PasswordPrompt } from './password-prompt.tsx';
export { withPassword } from './with-password.ts';
