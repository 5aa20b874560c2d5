import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import { useQuery } from '@tanstack/react-query';
import type { Message } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { RecordHeader } from '#renderer/kit/record';
import { CodeBlock, CopyText, FactList, fullTime, QueryContent, Section, TimeText, useHeadingFocus } from '#renderer/kit/ui';
import { useTenantNow } from '#renderer/session/tenant-clock';
import { useMerchant } from '#renderer/session/user';
import { RecordLink } from '#renderer/shared/record-links';
import { messageQuery } from './queries.ts';
import { ResendAction } from './resend-action.tsx';
import { channelText, kindText, nextRetryText, statusNoteOf } from './texts.ts';

const TICK_MS = 15_000;

/** One message: status, actions and text. */
export function MessageView({ messageId, takesFocus }: { messageId: string; takesFocus: boolean }) {
  const message = useQuery(messageQuery(messageId));
  return <QueryContent query={message}>{(data) => <Opened message={data} takesFocus={takesFocus} />}</QueryContent>;
}

function Opened({ message, takesFocus }: { message: Message; takesFocus: boolean }) {
  const { timezone } = useMerchant();
  const heading = useHeadingFocus(takesFocus);
  const nowMs = useTenantNow(TICK_MS);
  const { subject, kind, channel, status, to, createdAt, sentAt, nextTryAt, attempts, attachment, messageId } = message;
  const statusNote = statusNoteOf(message, nextRetryText(message, nowMs));
  return (
    <Box sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 6 }}>
      <RecordHeader
        title={subject ?? kindText(kind)}
        status={status === 'waiting' ? `waiting_for_${channel}` : status}
        headingRef={heading}
      >
        <span>{channelText(channel)}</span>
        <span aria-hidden>·</span>
        <TimeText at={createdAt} timeZone={timezone} />
      </RecordHeader>
      {statusNote && <Alert severity={statusNote.tone}>{statusNote.text}</Alert>}
      <ResendAction message={message} onClosed={() => heading.current?.focus()} />
      <FactList
        facts={[
          [t('To', { context: 'recipient' }), <CopyText key="to" text={to} label={t('Recipient')} />],
          [t('Type'), kindText(kind)],
          [t('About'), message.resourceId === null ? t('Nothing') : <RecordLink key="about" resourceId={message.resourceId} />],
          [t('Attachment'), attachment && attachmentText(attachment)],
          [t('Created'), fullTime(createdAt, timezone)],
          [t('Sent'), sentAt && fullTime(sentAt, timezone)],
          [t('Attempts'), attempts > 0 && String(attempts)],
          [t('Next retry'), nextTryAt && fullTime(nextTryAt, timezone)],
          [t('Message ID'), <CopyText key="id" text={messageId} label={t('Message ID')} />],
        ]}
      />
      <Body message={message} />
    </Box>
  );
}

const ATTACHMENT_LABELS: Readonly<Record<string, string>> = { receipt: t('Receipt (PDF)'), invoice: t('Invoice (PDF)') };

/** Returns the label of an attachment such as "receipt:txn_…". */
function attachmentText(attachment: string): string {
  return ATTACHMENT_LABELS[attachment.split(':')[0] ?? ''] ?? attachment;
}

/** Message text, never interpreted as markup. */
function Body({ message: { body, isSecret, kind, status } }: { message: Message }) {
  return (
    <Section title={t('Text')}>
      {body === '' ? (
        <Box sx={{ fontSize: 13, color: 'text.secondary' }}>
          {isSecret && status === 'sent'
            ? t('It contained a one-time code or link. The text isn’t kept after sending.')
            : isSecret
              ? t('It contains a one-time code or link that only the recipient can read.')
              : kind === 'report'
                ? t('Only people who can read reports see it.')
                : t('No text.')}
        </Box>
      ) : (
        <CodeBlock label={t('Message text')} text={body} maxHeight={420} wraps={kind !== 'receipt'} />
      )}
    </Section>
  );
}
