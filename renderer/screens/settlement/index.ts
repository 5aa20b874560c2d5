export { SettlementScreen } from './settlement-screen.tsx';
