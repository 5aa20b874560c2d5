import Box from '@mui/material/Box';
import { UpdateLine } from '#renderer/application';
import { useHealth } from '#renderer/client';
import { useDesktop } from '#renderer/desktop';
import { FactList, Quiet, Section } from '#renderer/ui';

/** Installed and next version. In a browser: the origin of this page, and who updates it. */
export function UpdatesTab() {
  const { isDesktop } = useDesktop();
  return (
    <Box sx={{ maxWidth: 640 }}>
      <Section title="Updates">
        {isDesktop ? (
          <Box sx={{ display: 'grid', gap: 4 }}>
            <UpdateLine />
            <Quiet>A newer version is fetched in the background and installs when you quit. It never restarts by itself.</Quiet>
          </Box>
        ) : (
          <OfTheServer />
        )}
      </Section>
    </Box>
  );
}

function OfTheServer() {
  const { version } = useHealth();
  return (
    <Box sx={{ display: 'grid', gap: 4 }}>
      <FactList
        facts={[
          ['Version', version],
          [
            'Served by',
            <span key="origin" className="mono">
              {location.origin}
            </span>,
          ],
        ]}
      />
      <Quiet>
        This page comes from the server, and is updated with it: whoever runs the server installs a newer version and starts it again. The
        database is brought up to date as it starts. Only the desktop application updates itself.
      </Quiet>
    </Box>
  );
}
