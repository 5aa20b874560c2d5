import Box from '@mui/material/Box';
import { useRef } from 'react';
import { FilterChip, SearchBox, useShortcuts } from '#renderer/ui';
import type { OutboxFilter } from './queries.ts';
import type { ViewInAddress } from './use-view.ts';
import { CHANNELS, KINDS, STATUSES, subjectOf } from './words.ts';

const CHIPS = [
  ['channel', 'Sent by', CHANNELS],
  ['status', 'Status', STATUSES],
  ['kind', 'What', KINDS],
] as const;

/** Which messages: by recipient, channel, state and what they are about. */
export function ViewBar({ view: { filter, change }, onDown }: { view: ViewInAddress; onDown: () => void }) {
  const search = useRef<HTMLInputElement>(null);
  useShortcuts('Messages', [{ keys: '/', label: 'Find by recipient', run: () => search.current?.focus() }]);
  const { resourceId } = filter;
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, alignItems: 'center' }}>
      <SearchBox
        label="Search by recipient"
        placeholder="E-mail or phone"
        widthPx={240}
        value={filter.q ?? ''}
        inputRef={search}
        onSearch={(q) => change({ q })}
        onDown={onDown}
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
          label={subjectOf(resourceId)?.what ?? 'About'}
          options={[{ value: resourceId, name: resourceId }]}
          value={resourceId}
          onChange={(value) => change({ resourceId: value })}
        />
      )}
    </Box>
  );
}
