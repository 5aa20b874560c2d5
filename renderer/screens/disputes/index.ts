export { DisputesScreen } from './disputes-screen.tsx';
