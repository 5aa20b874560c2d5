export { DateField, DateTimeField, TimeField } from './fields.tsx';
