export { WorkstationDialog } from './workstation-dialog.tsx';
