import Box from '@mui/material/Box';
import { t } from '#renderer/base/language';
import { ApplicationOptions } from '#renderer/desktop/application';
import { useDesktop } from '#renderer/desktop/bridge';
import { MutedText, Section } from '#renderer/kit/ui';

/** Settings of the desktop application on this computer. */
export function ApplicationTab() {
  const { isDesktop } = useDesktop();
  if (isDesktop) {
    return (
      <Box sx={{ maxWidth: 640 }}>
        <ApplicationOptions />
      </Box>
    );
  }
  return (
    <Box sx={{ maxWidth: 640 }}>
      <Section title={t('Application')}>
        <MutedText>
          {t(
            'These settings exist only in the desktop application: whether it starts with the computer, what closing its window does, and which port the API uses.',
          )}
        </MutedText>
      </Section>
    </Box>
  );
}
