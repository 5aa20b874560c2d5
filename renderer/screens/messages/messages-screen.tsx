import Button from '@mui/material/Button';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Message } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { type BulkAction, RecordList } from '#renderer/kit/data-table';
import { SavedViews } from '#renderer/kit/list-settings';
import { RecordPanel, useRecordAddress } from '#renderer/kit/record';
import { EmptyState, Screen } from '#renderer/kit/ui';
import { useTenantNow } from '#renderer/session/tenant-clock';
import { useMay, useMerchant } from '#renderer/session/user';
import { sendingResult } from '#renderer/shared/messages';
import { ChannelNotes } from './channel-notes.tsx';
import { columnsFor } from './columns.tsx';
import { MessageView } from './message-view.tsx';
import { outboxQuery, refreshMessages, resend } from './queries.ts';
import { kindText } from './texts.ts';
import { isFiltered, UNFILTERED, useView } from './use-view.ts';
import { ViewBar } from './view-bar.tsx';

/** Columns that a narrow window leaves out, in this order. */
const LEAVE_OUT = ['attempts', 'nextTryAt', 'channel', 'subject'];

const TICK_MS = 15_000;

/** Sends messages again, each to its recipient. */
const RESEND: readonly BulkAction<Message>[] = [
  {
    label: t('Resend'),
    explain: (rows) => t('Sends {{count, number}} messages again. Recipients of a sent message get it twice.', { count: rows.length }),
    reason: ({ isSecret }) => (isSecret ? t('one-time codes and links can’t be resent') : undefined),
    run: async ({ messageId }) => {
      const sent = await resend(messageId, undefined);
      return sendingResult(sent, sent.to);
    },
    onDone: () => void refreshMessages(),
  },
];

/** All emails and text messages with their delivery status. */
export function MessagesScreen() {
  const { timezone } = useMerchant();
  const canWrite = useMay()('notifications:write');
  const view = useView();
  const nowMs = useTenantNow(TICK_MS);
  const outbox = useQuery(outboxQuery(view.filter, view.page));
  const columns = useMemo(() => columnsFor(timezone, nowMs), [timezone, nowMs]);
  const { search } = view;
  const { openId: messageId, open, panel } = useRecordAddress('/messages', search);
  return (
    <Screen
      title={t('Messages')}
      fillsHeight
      subtitle={t('Receipts, invoices, codes and notices sent by email and text.')}
      actions={<SavedViews />}
    >
      <ChannelNotes onFilter={(filter) => view.change({ ...UNFILTERED, ...filter })} />
      <ViewBar view={view} />
      <RecordList
        leaveOut={LEAVE_OUT}
        bulk={canWrite ? RESEND : undefined}
        nameOf={({ to, kind }) => `${to}, ${kindText(kind)}`}
        list="Messages"
        query={outbox}
        label={t('Messages')}
        columns={columns}
        idOf={(row) => row.messageId}
        page={view.page}
        onPage={view.setPage}
        openId={messageId}
        onOpen={(row) => open(row.messageId)}
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
      <RecordPanel label={t('Message')} {...panel}>
        {(id, isOpen) => <MessageView messageId={id} takesFocus={isOpen} />}
      </RecordPanel>
    </Screen>
  );
}
