export { GatewaysTab } from './gateways-tab.tsx';
