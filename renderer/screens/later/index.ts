export { LaterScreen } from './later-screen.tsx';
