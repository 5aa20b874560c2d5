import Box from '@mui/material/Box';
import type { GridColDef } from '@mui/x-data-grid';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { addressSchema, matching, oneOf, useAddress } from '#renderer/base/address';
import type { HistoryEvent } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { RecordList, timeColumn } from '#renderer/kit/data-table';
import { SavedViews } from '#renderer/kit/list-settings';
import { RecordPanel, useRecordAddress } from '#renderer/kit/record';
import { ArchiveField, EmptyState, FilterChip, Screen } from '#renderer/kit/ui';
import { useMerchant } from '#renderer/session/user';
import { ALL_TYPES } from '../event-types.ts';
import { EventView } from './event-view.tsx';
import { archivedYearsQuery, eventsQuery, PAGE_SIZE } from './queries.ts';

/** Columns that a narrow window leaves out, in this order. */
const LEAVE_OUT = ['id', 'resourceId'];
const FIRST_FIELD = 'createdAt';
const NO_CURSORS: readonly string[] = [];
const TYPES = ALL_TYPES.map((type) => ({ value: type, name: type }));
const ADDRESS = addressSchema({ type: oneOf(ALL_TYPES), archive: matching(/^\d{4}$/) });

/** All events, newest first, whether or not an endpoint receives them. New ones appear as they happen. */
export function EventsScreen() {
  const { timezone } = useMerchant();
  const { values, search, go } = useAddress(ADDRESS);
  const { openId: eventId, open, panel } = useRecordAddress('/events', search);
  const { type, archive } = values;
  /** The first event of each page that was left for an older one, with the filter of these pages. */
  const [passed, setPassed] = useState({ type, archive, cursors: NO_CURSORS });
  const cursors = passed.type === type && passed.archive === archive ? passed.cursors : NO_CURSORS;
  const setCursors = (next: readonly string[]) => setPassed({ type, archive, cursors: next });
  const events = useQuery(eventsQuery(type, archive, cursors.at(-1)));
  const archived = useQuery(archivedYearsQuery).data ?? [];
  const columns = useMemo(() => columnsFor(timezone), [timezone]);
  const page = cursors.length + 1;
  return (
    <Screen
      title={t('Events')}
      fillsHeight
      subtitle={t('Catch events here: each one appears as an endpoint receives it, signed. This needs no endpoint and no certificate.')}
      actions={<SavedViews />}
    >
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 3 }}>
        <FilterChip
          label={t('Type')}
          options={TYPES}
          value={type}
          onChange={(value) => go({ archive, type: ALL_TYPES.find((each) => each === value) })}
        />
        <ArchiveField
          id="events-archive"
          label={t('Events')}
          archived={archived.map(({ year }) => year)}
          year={archive}
          onYear={(year) => go({ type, archive: year })}
        />
      </Box>
      <RecordList
        list="Events"
        leaveOut={LEAVE_OUT}
        query={{ ...events, data: events.data && { ...events.data, total: events.data.total + cursors.length * PAGE_SIZE } }}
        label={t('Events')}
        columns={columns}
        idOf={(row) => row.id}
        page={page}
        onPage={(next) => {
          const oldest = events.data?.items.at(-1);
          if (next < page) setCursors(cursors.slice(0, -1));
          else if (oldest) setCursors([...cursors, oldest.id]);
        }}
        openId={eventId}
        onOpen={({ id }) => open(id)}
        empty={
          <EmptyState title={type === undefined && archive === undefined ? t('No events yet') : t('No match')}>
            {type === undefined && archive === undefined
              ? t('Make a sale; its event appears here immediately.')
              : t('No event has this type.')}
          </EmptyState>
        }
      />
      <RecordPanel label={t('Event')} {...panel}>
        {(id, isOpen) => <EventView eventId={id} archive={archive} takesFocus={isOpen} />}
      </RecordPanel>
    </Screen>
  );
}

function columnsFor(timeZone: string): GridColDef<HistoryEvent>[] {
  return [
    timeColumn(FIRST_FIELD, t('Time'), { flex: 0.7, minWidth: 138 }, timeZone, (row) => row.createdAt),
    { field: 'type', headerName: t('Event'), flex: 1, minWidth: 216 },
    { field: 'resourceId', headerName: t('Subject', { context: 'event' }), flex: 1.2, minWidth: 240, cellClassName: 'mono' },
    { field: 'id', headerName: t('Event ID'), flex: 1.2, minWidth: 240, cellClassName: 'mono' },
  ];
}
