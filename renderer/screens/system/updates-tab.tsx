import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import { useHealth } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { UpdateLine } from '#renderer/desktop/application';
import { useDesktop } from '#renderer/desktop/bridge';
import { FactList, MutedText, Section } from '#renderer/kit/ui';

/** Installed and next version. In a browser: the server of this page and how it is updated. */
export function UpdatesTab() {
  const { isDesktop } = useDesktop();
  return (
    <Box sx={{ display: 'grid', gap: 6, maxWidth: 640 }}>
      <Section title={t('Updates')}>
        {isDesktop ? (
          <Box sx={{ display: 'grid', gap: 4 }}>
            <UpdateLine />
            <MutedText>
              {t('Updates download in the background and are installed when you quit. Paydesk never restarts on its own.')}
            </MutedText>
          </Box>
        ) : (
          <ServerVersion />
        )}
      </Section>
      <Section title={t('Licenses')}>
        <MutedText>
          <Link href="/third-party-notices.txt" download underline="always">
            {t('Download the licenses of the software that Paydesk contains')}
          </Link>
        </MutedText>
      </Section>
    </Box>
  );
}

function ServerVersion() {
  const { version } = useHealth();
  return (
    <Box sx={{ display: 'grid', gap: 4 }}>
      <FactList
        facts={[
          [t('Version'), version],
          [
            t('Served by'),
            <span key="origin" className="mono">
              {location.origin}
            </span>,
          ],
        ]}
      />
      <MutedText>
        {t(
          'This page is part of the server. To update, install a newer version on the server and restart it; the database is upgraded at startup. Only the desktop application updates itself.',
        )}
      </MutedText>
    </Box>
  );
}
