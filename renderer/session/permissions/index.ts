export { PermissionGrid } from './permission-grid.tsx';
export { roleName } from './role-name.ts';
