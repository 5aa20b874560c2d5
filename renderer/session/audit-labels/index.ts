export { actionLabel } from './actions.ts';
export { fieldLabel } from './fields.ts';
