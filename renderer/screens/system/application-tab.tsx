import Box from '@mui/material/Box';
import { ApplicationOptions } from '#renderer/application';
import { useDesktop } from '#renderer/desktop';
import { t } from '#renderer/language';
import { MutedText, Section } from '#renderer/ui';

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
