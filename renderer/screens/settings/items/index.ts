export { ItemsTab } from './items-tab.tsx';
