export { CountryPicker, CurrencyPicker, TimeZonePicker } from './pickers.tsx';
export { systemTimeZone } from './time-zones.ts';
export { ValueListField } from './value-list-field.tsx';
