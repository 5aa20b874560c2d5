export { OrderScreen } from './order-screen.tsx';
