export { AllowedAddressesField } from './allowed-addresses.tsx';
export { PermissionGrid } from './permission-grid.tsx';
export { roleName, roleSummary } from './role-name.ts';
