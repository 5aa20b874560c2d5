export { type AgreementChannel, AgreementField } from './agreement-field.tsx';
export { CustomerField } from './customer-field.tsx';
export { FREQUENCIES, type Frequency, frequencyText } from './frequency.ts';
export { customerName } from './name.ts';
export { createCustomer, customerQuery } from './queries.ts';
