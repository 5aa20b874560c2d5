import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { type KeyboardEvent, useId } from 'react';
import { t } from '#renderer/base/language';
import { CopyText, copyText, fullTime } from '#renderer/kit/ui';
import { useMerchant } from '#renderer/session/user';
import { SendingNote } from '#renderer/shared/messages';
import { LocalOnlyNote } from './local-only-note.tsx';

interface CreatedLinkProps {
  readonly link: {
    readonly url: string;
    readonly expiresAt: string;
    readonly isLocalOnly: boolean;
    readonly messageIds: readonly string[];
  };
  readonly onClose: () => void;
}

/** Shows a created link, which is not shown again. */
export function CreatedLink({ link: { url, expiresAt, isLocalOnly, messageIds }, onClose }: CreatedLinkProps) {
  const { timezone } = useMerchant();
  const titleId = useId();
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    onClose();
  };
  return (
    <Box
      component="section"
      aria-labelledby={titleId}
      onKeyDown={onKeyDown}
      sx={(theme) => ({ display: 'grid', gap: 4, p: 4, border: `1px solid ${theme.vars.palette.divider}`, borderRadius: 1 })}
    >
      <Typography variant="h3" id={titleId}>
        {t('Link created')}
      </Typography>
      {messageIds.map((messageId) => (
        <SendingNote key={messageId} messageId={messageId} />
      ))}
      {isLocalOnly && <LocalOnlyNote />}
      <Box sx={{ fontSize: 13, overflowWrap: 'anywhere' }}>
        <CopyText text={url} label={t('Link')} />
        <Box sx={{ color: 'text.secondary', mt: 1 }}>
          {t('Valid until {{time}}. It is not shown again.', { time: fullTime(expiresAt, timezone) })}
        </Box>
      </Box>
      <Box sx={{ display: 'flex', gap: 2, justifyContent: 'flex-end' }}>
        <Button variant="text" onClick={onClose}>
          {t('Close')}
        </Button>
        <Button variant="contained" color="primary" autoFocus onClick={() => void copyText(url, t('Link'))}>
          {t('Copy link')}
        </Button>
      </Box>
    </Box>
  );
}
