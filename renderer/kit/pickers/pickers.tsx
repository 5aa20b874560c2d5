import Autocomplete, { createFilterOptions } from '@mui/material/Autocomplete';
import TextField from '@mui/material/TextField';
import { useMemo } from 'react';
import { timeZoneName } from '#renderer/base/dates';
import { locale } from '#renderer/base/language';
import { COUNTRY_CODES } from '#shared/countries';
import { CURRENCY_CODES } from '#shared/currencies';
import { timeZones } from './time-zones.ts';

interface PickerProps {
  readonly id: string;
  /** Code of the selected option. A code that is not in the list is added to it. */
  readonly value: string;
  readonly onValue: (code: string) => void;
  readonly label: string;
  readonly help?: string;
  readonly fault?: string;
  readonly isReadOnly?: boolean;
}

/** Field to select a currency by code or name. */
export function CurrencyPicker(props: PickerProps) {
  return <CodePicker {...props} codes={CURRENCY_CODES} nameOf={currencyName} />;
}

/** Field to select a country by code or name. */
export function CountryPicker(props: PickerProps) {
  return <CodePicker {...props} codes={COUNTRY_CODES} nameOf={countryName} />;
}

interface TimeZonePickerProps extends PickerProps {
  /** Name of an additional first option, which stands for no time zone and has the value ''. */
  readonly noneLabel?: string;
}

/** Field to select a time zone by its name, its city or its identifier. */
export function TimeZonePicker({ noneLabel, ...props }: TimeZonePickerProps) {
  const nameOf = (zone: string) => (zone === '' ? (noneLabel ?? '') : timeZoneName(zone));
  const zones = useMemo(() => {
    const sorted = timeZones().toSorted((one, other) => timeZoneName(one).localeCompare(timeZoneName(other)));
    return noneLabel === undefined ? sorted : ['', ...sorted];
  }, [noneLabel]);
  return <CodePicker {...props} codes={zones} nameOf={nameOf} />;
}

interface CodePickerProps extends PickerProps {
  readonly codes: readonly string[];
  readonly nameOf: (code: string) => string;
}

function CodePicker({ id, value, onValue, label, help, fault, isReadOnly = false, codes, nameOf }: CodePickerProps) {
  return (
    <Autocomplete
      id={id}
      options={codes.includes(value) ? codes : [value, ...codes]}
      value={value}
      onChange={(_, code) => onValue(code)}
      getOptionLabel={nameOf}
      getOptionKey={(code) => code}
      filterOptions={createFilterOptions({ stringify: (code) => `${nameOf(code)} ${code.replaceAll('_', ' ')}` })}
      disableClearable
      autoHighlight
      disabled={isReadOnly}
      renderInput={(params) => <TextField {...params} label={label} error={fault !== undefined} helperText={fault ?? help} />}
    />
  );
}

const namesOf = (type: 'currency' | 'region') => new Intl.DisplayNames(locale(), { type, fallback: 'none' });

/** Returns a currency as "USD, US Dollar"; only the code if it has no name. */
function currencyName(code: string): string {
  const name = /^[A-Z]{3}$/.test(code) ? namesOf('currency').of(code) : undefined;
  return name ? `${code}, ${name}` : code;
}

/** Returns a country as "US, United States"; only the code if it has no name. */
function countryName(code: string): string {
  const name = /^[A-Z]{2}$/.test(code) ? namesOf('region').of(code) : undefined;
  return name ? `${code}, ${name}` : code;
}
