export { LockScreen } from './lock-screen.tsx';
export { SignInScreen } from './sign-in-screen.tsx';
