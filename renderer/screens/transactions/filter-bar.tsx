import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { t } from '#renderer/base/language';
import { ListFilter } from '#renderer/kit/data-table';
import { FilterChip, sentenceCase } from '#renderer/kit/ui';
import { DayChip, DaysChip } from '#renderer/session/date-entry';
import { PERIOD_OPTIONS } from '#renderer/session/periods';
import { useMay, useMerchant } from '#renderer/session/user';
import { cardReadersQuery } from '#renderer/shared/card-readers';
import { shiftName, shiftQuery } from '#renderer/shared/tenders';
import { BRAND_OPTIONS } from './brand-options.ts';
import { isFiltered, OPTION_FILTERS, type TransactionFilter } from './filter.ts';

interface FilterBarProps {
  readonly filter: TransactionFilter;
  readonly onChange: (filter: TransactionFilter) => void;
  /** The search box. */
  readonly children: ReactNode;
}

/** Search field and filters, each with its value. */
export function FilterBar({ filter, onChange, children }: FilterBarProps) {
  return (
    <ListFilter isFiltered={isFiltered(filter)} onClear={() => onChange({})}>
      {children}
      <DaysChip
        label={t('Period')}
        presets={PERIOD_OPTIONS}
        value={filter}
        onChange={(value) => {
          const { period: _, startDate: __, endDate: ___, ...rest } = filter;
          onChange({ ...rest, ...value });
        }}
      />
      {OPTION_FILTERS.map(({ key, label, options }) => (
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
      <DayChip
        label={t('Settled on')}
        fieldLabel={t('Settlement date')}
        value={filter.settlementDate}
        onChange={(settlementDate) => {
          const { settlementDate: _, ...rest } = filter;
          onChange({ ...rest, ...(settlementDate && { settlementDate }) });
        }}
      />
      <LinkedFilters filter={filter} onChange={onChange} />
    </ListFilter>
  );
}

/** Filters set by reports and settlements; shown only if they are set. */
function LinkedFilters({ filter, onChange }: Pick<FilterBarProps, 'filter' | 'onChange'>) {
  const { brand, declineCode, settlementId, shiftId, terminalId, capturedFrom, capturedTo, refundedFrom, refundedTo } = filter;
  const change = (next: FilterChanges) => onChange(withChanges(filter, next));
  return (
    <>
      {brand && (
        <FilterChip
          label={t('Brand')}
          options={BRAND_OPTIONS}
          value={brand}
          onChange={(value) => change({ brand: value as TransactionFilter['brand'] })}
        />
      )}
      {declineCode && (
        <FilterChip
          label={t('Decline')}
          options={[{ value: declineCode, name: sentenceCase(declineCode) }]}
          value={declineCode}
          onChange={(value) => change({ declineCode: value })}
        />
      )}
      {settlementId && (
        <FilterChip
          label={t('Settlement')}
          options={[{ value: settlementId, name: settlementId }]}
          value={settlementId}
          onChange={(value) => change({ settlementId: value })}
        />
      )}
      {shiftId && <ShiftChip shiftId={shiftId} onChange={(value) => change({ shiftId: value })} />}
      {terminalId && <ReaderChip terminalId={terminalId} onChange={(value) => change({ terminalId: value })} />}
      {(capturedFrom || capturedTo) && (
        <DaysChip
          label={t('Captured')}
          value={{ startDate: capturedFrom, endDate: capturedTo }}
          onChange={({ startDate, endDate }) => change({ capturedFrom: startDate, capturedTo: endDate })}
        />
      )}
      {(refundedFrom || refundedTo) && (
        <DaysChip
          label={t('Refunded')}
          value={{ startDate: refundedFrom, endDate: refundedTo }}
          onChange={({ startDate, endDate }) => change({ refundedFrom: startDate, refundedTo: endDate })}
        />
      )}
    </>
  );
}

/** Filter by a shift, with its name if the person may see shifts. */
function ShiftChip({ shiftId, onChange }: { shiftId: string; onChange: (shiftId: string | undefined) => void }) {
  const { data } = useQuery({ ...shiftQuery(shiftId), enabled: useMay()('shifts:read') });
  const name = data === undefined ? shiftId : shiftName(data);
  return <FilterChip label={t('Shift')} options={[{ value: shiftId, name }]} value={shiftId} onChange={onChange} />;
}

/** Filter by a card reader, with its name unless it was removed. */
function ReaderChip({ terminalId, onChange }: { terminalId: string; onChange: (terminalId: string | undefined) => void }) {
  const { merchantId } = useMerchant();
  const { data } = useQuery({ ...cardReadersQuery(merchantId), enabled: useMay()('terminals:read') });
  const name = data?.find((reader) => reader.terminalId === terminalId)?.name ?? terminalId;
  return <FilterChip label={t('Card reader')} options={[{ value: terminalId, name }]} value={terminalId} onChange={onChange} />;
}

type FilterChanges = { readonly [Key in keyof TransactionFilter]?: TransactionFilter[Key] | undefined };

/** Returns the filter with changes; undefined values are removed. */
function withChanges(filter: TransactionFilter, next: FilterChanges): TransactionFilter {
  return Object.fromEntries(Object.entries({ ...filter, ...next }).filter(([, value]) => value !== undefined)) as TransactionFilter;
}
