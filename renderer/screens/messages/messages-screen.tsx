import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useGridApiRef } from '@mui/x-data-grid';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useNavigate, useParams } from 'react-router';
import { DataTable } from '#renderer/data-table';
import { useMerchant } from '#renderer/session';
import { useTenantNow } from '#renderer/tenant-clock';
import { Answer, EmptyNote, Screen, SideDrawer } from '#renderer/ui';
import { ChannelNotes } from './channel-notes.tsx';
import { columnsFor, FIRST_FIELD } from './columns.tsx';
import { MessageView } from './message-view.tsx';
import { outboxQuery, PAGE_SIZE } from './queries.ts';
import { isFiltered, UNFILTERED, useView } from './use-view.ts';
import { ViewBar } from './view-bar.tsx';

const TICK_MS = 15_000;

/** Every e-mail and text that this desk has written: what is sent, what waits, what failed (experience 2.18). */
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
    <Screen title="Messages" isFilling facts="Receipts, invoices, codes and notices by e-mail and text, newest first.">
      <Box sx={{ display: 'flex', flexDirection: 'column', gap: 4, flex: 1, minHeight: 0 }}>
        <ChannelNotes onFilter={(filter) => view.change({ ...UNFILTERED, ...filter })} />
        <ViewBar view={view} onDown={intoRows} />
        <Answer of={outbox} skeleton={<Box sx={{ flex: 1 }} />}>
          {(data) => (
            <DataTable
              label="Messages"
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
                  <EmptyNote title="No match" action={<Button onClick={() => view.change(UNFILTERED)}>Clear filters</Button>}>
                    No message matches what is asked for.
                  </EmptyNote>
                ) : (
                  <EmptyNote title="Nothing written yet">Send a receipt after a sale: it appears here with what became of it.</EmptyNote>
                )
              }
            />
          )}
        </Answer>
      </Box>
      <SideDrawer
        label="Message"
        openId={messageId}
        onClose={close}
        onClosed={(id) => grid.current?.getCellElement(id, FIRST_FIELD)?.focus()}
      >
        {(id, isOpen) => <MessageView messageId={id} takesFocus={isOpen} />}
      </SideDrawer>
    </Screen>
  );
}
