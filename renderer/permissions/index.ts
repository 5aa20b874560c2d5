export { AREAS, PermissionGrid, type PermissionGridProps } from './permission-grid.tsx';
