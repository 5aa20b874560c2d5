import Box from '@mui/material/Box';
import { ApplicationOptions } from '#renderer/application';
import { useDesktop } from '#renderer/desktop';
import { Quiet, Section } from '#renderer/ui';

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
      <Section title="Application">
        <Quiet>
          This page is open in a browser, so there is nothing to set. In the desktop application you choose here whether it starts with the
          computer, what closing its window does, and which port the API has.
        </Quiet>
      </Section>
    </Box>
  );
}
