export { dateFormat } from './date-format.ts';
export { dayIn } from './day.ts';
export { walkDays } from './walk-days.ts';
