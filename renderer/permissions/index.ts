export { PermissionGrid, type PermissionGridProps } from './permission-grid.tsx';
