import Box from '@mui/material/Box';
import { useRef } from 'react';
import { t } from '#renderer/base/language';
import { FilterChip, SearchBox, useShortcuts } from '#renderer/kit/ui';
import { relatedRecord } from '#renderer/shared/record-links';
import type { OutboxFilter } from './queries.ts';
import { CHANNELS, KINDS, STATUSES } from './texts.ts';
import type { ViewInAddress } from './use-view.ts';

const CHIPS = [
  ['channel', t('Channel'), CHANNELS],
  ['status', t('Status'), STATUSES],
  ['kind', t('Type'), KINDS],
] as const;

/** Search and filters: recipient, channel, status, type and related record. */
export function ViewBar({ view: { filter, change } }: { view: ViewInAddress }) {
  const search = useRef<HTMLInputElement>(null);
  useShortcuts(t('Messages'), [{ keys: '/', label: t('Find by recipient'), run: () => search.current?.focus() }]);
  const { resourceId } = filter;
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, alignItems: 'center' }}>
      <SearchBox
        label={t('Search by recipient')}
        placeholder={t('Email or phone')}
        widthPx={240}
        value={filter.q ?? ''}
        inputRef={search}
        onSearch={(q) => change({ q })}
      />
      {CHIPS.map(([name, label, options]) => (
        <FilterChip
          key={name}
          label={label}
          options={options}
          value={filter[name]}
          onChange={(value) => change({ [name]: value } as OutboxFilter)}
        />
      ))}
      {resourceId && (
        <FilterChip
          label={relatedRecord(resourceId)?.what ?? t('About')}
          options={[{ value: resourceId, name: resourceId }]}
          value={resourceId}
          onChange={(value) => change({ resourceId: value })}
        />
      )}
    </Box>
  );
}
