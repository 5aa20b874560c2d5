export { DayChip, DaysChip, DaysDialog, type DaysFilter, daysText, GoToDate } from './days-chip.tsx';
export { DateField, DateTimeField, TimeField } from './fields.tsx';
