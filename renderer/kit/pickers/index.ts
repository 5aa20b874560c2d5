export { CountryPicker, CurrencyPicker, TimeZonePicker } from './pickers.tsx';
export { systemTimeZone } from './time-zones.ts';
