import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useGridApiRef } from '@mui/x-data-grid';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useNavigate, useParams } from 'react-router';
import { t } from '#renderer/base/language';
import { DataTable } from '#renderer/kit/data-table';
import { SavedViews } from '#renderer/kit/list-settings';
import { EmptyState, QueryContent, Screen, SideDrawer } from '#renderer/kit/ui';
import { useTenantNow } from '#renderer/session/tenant-clock';
import { useMerchant } from '#renderer/session/user';
import { ChannelNotes } from './channel-notes.tsx';
import { columnsFor, FIRST_FIELD } from './columns.tsx';
import { MessageView } from './message-view.tsx';
import { outboxQuery, PAGE_SIZE } from './queries.ts';
import { isFiltered, UNFILTERED, useView } from './use-view.ts';
import { ViewBar } from './view-bar.tsx';

const TICK_MS = 15_000;

/** All emails and text messages with their delivery status. */
export function MessagesScreen() {
  const { timezone } = useMerchant();
  const navigate = useNavigate();
  const { messageId } = useParams();
  const view = useView();
  const grid = useGridApiRef();
  const nowMs = useTenantNow(TICK_MS);
  const outbox = useQuery(outboxQuery(view.filter, view.page));
  const columns = useMemo(() => columnsFor(timezone, nowMs), [timezone, nowMs]);
  const { search } = view;
  const close = () => void navigate({ pathname: '/messages', search });
  const intoRows = () => {
    const first = outbox.data?.items[0];
    if (first) grid.current?.setCellFocus(first.messageId, FIRST_FIELD);
  };
  return (
    <Screen
      title={t('Messages')}
      fillsHeight
      subtitle={t('Receipts, invoices, codes and notices sent by email and text.')}
      actions={<SavedViews />}
    >
      <Box sx={{ display: 'flex', flexDirection: 'column', gap: 4, flex: 1, minHeight: 0 }}>
        <ChannelNotes onFilter={(filter) => view.change({ ...UNFILTERED, ...filter })} />
        <ViewBar view={view} onDown={intoRows} />
        <QueryContent query={outbox} skeleton={<Box sx={{ flex: 1 }} />}>
          {(data) => (
            <DataTable
              list="Messages"
              label={t('Messages')}
              apiRef={grid}
              rows={data.items}
              columns={columns}
              getRowId={(row) => row.messageId}
              getRowClassName={({ row }) => (row.messageId === messageId ? 'is-open' : '')}
              total={data.total}
              page={view.page}
              pageSize={PAGE_SIZE}
              isLoading={outbox.isPlaceholderData}
              onPage={view.setPage}
              onOpen={(row) => void navigate({ pathname: `/messages/${row.messageId}`, search })}
              empty={
                isFiltered(view.filter) ? (
                  <EmptyState title={t('No match')} action={<Button onClick={() => view.change(UNFILTERED)}>{t('Clear filters')}</Button>}>
                    {t('No message matches these filters.')}
                  </EmptyState>
                ) : (
                  <EmptyState title={t('No messages yet')}>
                    {t('Send a receipt after a sale; it appears here with its delivery status.')}
                  </EmptyState>
                )
              }
            />
          )}
        </QueryContent>
      </Box>
      <SideDrawer
        label={t('Message')}
        openId={messageId}
        onClose={close}
        onClosed={(id) => grid.current?.getCellElement(id, FIRST_FIELD)?.focus()}
      >
        {(id, isOpen) => <MessageView messageId={id} takesFocus={isOpen} />}
      </SideDrawer>
    </Screen>
  );
}
