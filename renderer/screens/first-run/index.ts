export { FirstRunScreen } from './first-run-screen.tsx';
