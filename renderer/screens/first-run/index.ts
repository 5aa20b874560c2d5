export { FirstRunScreen } from './first-run-screen.tsx';
export { RestOfSetUp } from './rest-of-set-up.tsx';
