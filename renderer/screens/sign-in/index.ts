export { CompanyAnswerScreen } from './company-answer-screen.tsx';
export { LockScreen } from './lock-screen.tsx';
export { SetPasswordScreen } from './set-password-screen.tsx';
export { SignInScreen } from './sign-in-screen.tsx';
