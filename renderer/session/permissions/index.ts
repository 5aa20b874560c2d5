export { AllowedAddressesField } from './allowed-addresses.tsx';
export { PermissionGrid } from './permission-grid.tsx';
export { roleName } from './role-name.ts';
