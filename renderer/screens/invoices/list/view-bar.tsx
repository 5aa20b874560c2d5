import Box from '@mui/material/Box';
import { useRef } from 'react';
import { t } from '#renderer/base/language';
import { TabRow } from '#renderer/kit/choices';
import { ListFilter } from '#renderer/kit/data-table';
import { FilterChip, SearchBox, useShortcuts } from '#renderer/kit/ui';
import { DaysChip } from '#renderer/session/date-entry';
import { STATUS_OPTIONS } from '../texts.ts';
import { PERIODS } from './period.ts';
import { TABS, type View, type ViewInAddress } from './use-view.ts';

interface ViewBarProps {
  readonly view: ViewInAddress;
}

/** Tabs, search and filters of the list. */
export function ViewBar({ view }: ViewBarProps) {
  const search = useRef<HTMLInputElement>(null);
  useShortcuts(t('Invoices'), [{ keys: '/', label: t('Find an invoice'), run: () => search.current?.focus() }]);
  const options = view.tab === 'links' ? STATUS_OPTIONS.filter(({ value }) => value !== 'draft' && value !== 'overdue') : STATUS_OPTIONS;
  return (
    <Box sx={{ display: 'grid', gap: 3, flexShrink: 0 }}>
      <TabRow label={t('Invoice lists')} tabs={TABS} value={view.tab} onChange={(tab) => view.change({ tab, status: undefined })} />
      <ListFilter isFiltered={view.isNarrowed} onClear={view.clear}>
        <SearchBox
          label={t('Search invoices')}
          placeholder={t('Number, ID or customer')}
          widthPx={280}
          value={view.q}
          inputRef={search}
          onSearch={(q) => view.change({ q })}
        />
        <FilterChip
          label={t('Status')}
          options={options.map(({ value, name }) => ({ value, name: view.tab === 'links' && value === 'sent' ? t('Open') : name }))}
          value={view.status}
          onChange={(status) => view.change({ status: status as View['status'] })}
        />
        <DaysChip label={t('Created')} presets={PERIODS} value={view.created} onChange={(created) => view.change({ created })} />
      </ListFilter>
    </Box>
  );
}
