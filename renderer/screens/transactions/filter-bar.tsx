import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import type { ReactNode } from 'react';
import { FilterChip, sentenceCase } from '#renderer/ui';
import { BRAND_OPTIONS } from './brand-options.ts';
import { PeriodChip, RefundedChip, SettlementChip } from './date-chips.tsx';
import { isFiltered, type TransactionFilter, WORD_FILTERS } from './filter.ts';

export interface FilterBarProps {
  readonly filter: TransactionFilter;
  readonly onChange: (filter: TransactionFilter) => void;
  /** The search box. */
  readonly children: ReactNode;
}

/** The search and the filters beside it, each shown with what it is set to. */
export function FilterBar({ filter, onChange, children }: FilterBarProps) {
  return (
    <Box role="search" aria-label="Filter" sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, alignItems: 'center' }}>
      {children}
      <PeriodChip
        value={filter}
        onChange={(value) => {
          const { period: _, startDate: __, endDate: ___, ...rest } = filter;
          onChange({ ...rest, ...value });
        }}
      />
      {WORD_FILTERS.map(({ key, label, options }) => (
        <FilterChip
          key={key}
          label={label}
          options={options}
          value={filter[key]}
          onChange={(value) => {
            const { [key]: _, ...rest } = filter;
            onChange({ ...rest, ...(value === undefined ? {} : { [key]: value }) });
          }}
        />
      ))}
      <SettlementChip
        value={filter.settlementDate}
        onChange={(settlementDate) => {
          const { settlementDate: _, ...rest } = filter;
          onChange({ ...rest, ...(settlementDate && { settlementDate }) });
        }}
      />
      <GivenFilters filter={filter} onChange={onChange} />
      {isFiltered(filter) && (
        <Button variant="text" size="small" onClick={() => onChange({})}>
          Clear filters
        </Button>
      )}
    </Box>
  );
}

/** What reports narrow the list by; shown only where it does. */
function GivenFilters({ filter, onChange }: Pick<FilterBarProps, 'filter' | 'onChange'>) {
  const { brand, declineCode, refundedFrom, refundedTo, ...rest } = filter;
  const given = { ...(brand && { brand }), ...(declineCode && { declineCode }) };
  const refunded = { ...(refundedFrom && { refundedFrom }), ...(refundedTo && { refundedTo }) };
  return (
    <>
      {brand && (
        <FilterChip
          label="Brand"
          options={BRAND_OPTIONS}
          value={brand}
          onChange={(value) => {
            const { brand: _, ...others } = given;
            onChange({ ...rest, ...others, ...refunded, ...(value && { brand: value as TransactionFilter['brand'] }) });
          }}
        />
      )}
      {declineCode && (
        <FilterChip
          label="Decline"
          options={[{ value: declineCode, name: sentenceCase(declineCode) }]}
          value={declineCode}
          onChange={(value) => {
            const { declineCode: _, ...others } = given;
            onChange({ ...rest, ...others, ...refunded, ...(value && { declineCode: value }) });
          }}
        />
      )}
      {(refundedFrom || refundedTo) && (
        <RefundedChip
          value={{ startDate: refundedFrom, endDate: refundedTo }}
          onChange={({ startDate, endDate }) =>
            onChange({ ...rest, ...given, ...(startDate && { refundedFrom: startDate }), ...(endDate && { refundedTo: endDate }) })
          }
        />
      )}
    </>
  );
}
