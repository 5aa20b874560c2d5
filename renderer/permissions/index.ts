export { PermissionGrid } from './permission-grid.tsx';
