import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { t } from '#renderer/base/language';
import { fullTime } from '#renderer/kit/ui';
import type { PageLink } from './requests.ts';

interface LinkListProps {
  readonly links: readonly PageLink[];
  readonly timezone: string;
  readonly isBusy: boolean;
  readonly onRevoke: (linkId: string) => void;
}

/** Open links to the page of a customer. */
export function LinkList({ links, timezone, isBusy, onRevoke }: LinkListProps) {
  return (
    <Box>
      <Typography variant="h3">{t('Open links')}</Typography>
      <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 0 }}>
        {links.map(({ linkId, source, createdBy, createdAt, expiresAt }) => (
          <Box
            component="li"
            key={linkId}
            sx={(theme) => ({
              display: 'flex',
              gap: 3,
              alignItems: 'center',
              justifyContent: 'space-between',
              py: 2,
              borderTop: `1px solid ${theme.vars.palette.divider}`,
            })}
          >
            <Box sx={{ fontSize: 13, overflowWrap: 'anywhere' }}>
              {source === 'email' ? t('In an email') : createdBy}, {fullTime(createdAt, timezone)}
              <Box sx={{ color: 'text.secondary' }}>{t('Valid until {{time}}', { time: fullTime(expiresAt, timezone) })}</Box>
            </Box>
            <Button
              variant="text"
              color="error"
              disabled={isBusy}
              aria-label={t('Revoke the link of {{time}}', { time: fullTime(createdAt, timezone) })}
              onClick={() => onRevoke(linkId)}
            >
              {t('Revoke')}
            </Button>
          </Box>
        ))}
      </Box>
    </Box>
  );
}
