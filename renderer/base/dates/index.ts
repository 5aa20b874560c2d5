export { addDays, addMonths, monthName } from './calendar.ts';
export { dateFormat } from './date-format.ts';
export { dayIn } from './day.ts';
export { instantOf, localTimeIn, monthLater } from './local-time.ts';
export { setClockAhead, thisYear } from './this-year.ts';
export { timeZoneName } from './time-zone-name.ts';
export { walkDays } from './walk-days.ts';
