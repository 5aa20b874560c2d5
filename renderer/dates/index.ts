export { dateFormat } from './date-format.ts';
export { dayIn } from './day.ts';
