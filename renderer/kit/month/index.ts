export { type MonthDay, MonthDays, MonthStrip } from './month-strip.tsx';
