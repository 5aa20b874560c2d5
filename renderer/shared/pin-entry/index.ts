export { PersonForm } from './person-form.tsx';
export { PinField } from './pin-field.tsx';
