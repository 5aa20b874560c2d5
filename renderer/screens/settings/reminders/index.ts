export { RemindersTab } from './reminders-tab.tsx';
