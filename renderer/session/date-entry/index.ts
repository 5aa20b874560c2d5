export { DayChip, DaysChip, type DaysFilter, daysText, GoToDate } from './days-chip.tsx';
export { DateField, DateTimeField, TimeField } from './fields.tsx';
