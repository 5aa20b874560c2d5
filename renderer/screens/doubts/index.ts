export { DoubtsScreen } from './doubts-screen.tsx';
