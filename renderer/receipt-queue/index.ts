export { QueueButton } from './queue-button.tsx';
export { Till } from './till.tsx';
export { openTillDialog } from './till-dialogs.ts';
