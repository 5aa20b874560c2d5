import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import { useHealth } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { UpdateLine } from '#renderer/desktop/application';
import { MutedText, Section } from '#renderer/kit/ui';

/** Installed and next version of the desktop application. */
export function UpdatesTab() {
  return (
    <Box sx={{ display: 'grid', gap: 6, maxWidth: 640 }}>
      <Section title={t('Updates')}>
        <Box sx={{ display: 'grid', gap: 4 }}>
          <UpdateLine />
          <MutedText>
            {t('Updates download in the background and are installed when you quit. Paydesk never restarts on its own.')}
          </MutedText>
        </Box>
      </Section>
      <Section title={t('Licenses')}>
        <MutedText>
          <LicensesLink />
        </MutedText>
      </Section>
    </Box>
  );
}

/** The version of the server of this page, how it is updated, and where its log is. */
export function ServerNote() {
  const { version } = useHealth();
  return (
    <MutedText>
      {t(
        'Version {{version}}, served by {{address}}. To update, install a newer version on the server and restart it. The server writes its log to standard error: to its terminal, or to the journal of the service that runs it.',
        { version: version ?? '', address: location.origin },
      )}{' '}
      <LicensesLink />
    </MutedText>
  );
}

function LicensesLink() {
  return (
    <Link href="/third-party-notices.txt" download underline="always">
      {t('Download the licenses of the software that Paydesk contains')}
    </Link>
  );
}
