import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import type { ReactNode } from 'react';
import { FilterChip } from '#renderer/ui';
import { PeriodChip, SettlementChip } from './date-chips.tsx';
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
      {isFiltered(filter) && (
        <Button variant="text" size="small" onClick={() => onChange({})}>
          Clear filters
        </Button>
      )}
    </Box>
  );
}
