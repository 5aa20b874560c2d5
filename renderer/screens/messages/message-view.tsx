import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { Link as RouterLink } from 'react-router';
import type { Message } from '#renderer/client';
import { useMay, useMerchant } from '#renderer/session';
import { useTenantNow } from '#renderer/tenant-clock';
import { Answer, CodeBlock, CopyText, exactTime, FactList, StatusChip, TimeText, useHeadingFocus } from '#renderer/ui';
import { messageQuery } from './queries.ts';
import { ResendAction } from './resend-action.tsx';
import { channelWords, kindWords, nextTryWords, standingOf, subjectOf } from './words.ts';

const TICK_MS = 15_000;

/** One message: status, actions and text. */
export function MessageView({ messageId, takesFocus }: { messageId: string; takesFocus: boolean }) {
  const message = useQuery(messageQuery(messageId));
  return <Answer of={message}>{(data) => <Opened message={data} takesFocus={takesFocus} />}</Answer>;
}

function Opened({ message, takesFocus }: { message: Message; takesFocus: boolean }) {
  const { timezone } = useMerchant();
  const heading = useHeadingFocus(takesFocus);
  const nowMs = useTenantNow(TICK_MS);
  const { subject, kind, channel, status, to, createdAt, sentAt, nextTryAt, attempts, attachment, messageId } = message;
  const standing = standingOf(message, nextTryWords(message, nowMs));
  return (
    <Box sx={{ display: 'grid', gap: 6 }}>
      <Box component="header" sx={{ pr: 10 }}>
        <Typography variant="h2" ref={heading} tabIndex={-1} sx={{ overflowWrap: 'anywhere' }}>
          {subject ?? kindWords(kind)}
        </Typography>
        <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 2, mt: 1.5, fontSize: 13, color: 'text.secondary' }}>
          <StatusChip state={status} />
          <span>{channelWords(channel)}</span>
          <span aria-hidden>·</span>
          <TimeText at={createdAt} timeZone={timezone} />
        </Box>
      </Box>
      {standing && <Alert severity={standing.tone}>{standing.text}</Alert>}
      <ResendAction message={message} onClosed={() => heading.current?.focus()} />
      <FactList
        facts={[
          ['To', <CopyText key="to" text={to} what="Recipient" />],
          ['What', kindWords(kind)],
          ['About', <About key="about" resourceId={message.resourceId} />],
          ['With it', attachment && attachmentWords(attachment)],
          ['Written', exactTime(createdAt, timezone)],
          ['Sent', sentAt && exactTime(sentAt, timezone)],
          ['Tries', attempts > 0 && String(attempts)],
          ['Next try', nextTryAt && exactTime(nextTryAt, timezone)],
          ['Message', <CopyText key="id" text={messageId} what="Message id" />],
        ]}
      />
      <Body message={message} />
    </Box>
  );
}

/** The related record, as a link for users who may open it. */
function About({ resourceId }: { resourceId: string | null }) {
  const may = useMay();
  const screen = subjectOf(resourceId);
  if (resourceId === null) return 'Nothing in particular';
  if (!screen || !may(screen.permission)) return <CopyText text={resourceId} what="Id" />;
  return (
    <Link component={RouterLink} to={screen.path} sx={{ font: 'inherit' }}>
      {screen.what} <span className="mono">{resourceId}</span>
    </Link>
  );
}

const DOCUMENTS: Readonly<Record<string, string>> = { receipt: 'The receipt as PDF', invoice: 'The invoice as PDF' };

/** "receipt:txn_…" in words. */
function attachmentWords(attachment: string): string {
  return DOCUMENTS[attachment.split(':')[0] ?? ''] ?? attachment;
}

/** Text of the message, never interpreted as markup. */
function Body({ message: { body, isSecret, status } }: { message: Message }) {
  return (
    <Box component="section">
      <Typography variant="h3" sx={{ mb: 2 }}>
        Text
      </Typography>
      {body === '' ? (
        <Box sx={{ fontSize: 13, color: 'text.secondary' }}>
          {isSecret && status === 'sent'
            ? 'It held a code or a link of its own, and is not kept once it is sent.'
            : isSecret
              ? 'It holds a code or a link of its own, which only the recipient reads.'
              : 'It is empty.'}
        </Box>
      ) : (
        <CodeBlock label="Text of the message" text={body} maxHeight={420} />
      )}
    </Box>
  );
}
