export { SellScreen } from './sell-screen.tsx';
