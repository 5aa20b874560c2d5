export { FirstRunScreen } from './first-run-screen.tsx';
export { RemainingSteps } from './remaining-steps.tsx';
