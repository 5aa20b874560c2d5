export { LateFeesTab } from './late-fees-tab.tsx';
