import Box from '@mui/material/Box';
import { ApplicationOptions } from '#renderer/desktop/application';

/** Settings of the desktop application on this computer. */
export function ApplicationTab() {
  return (
    <Box sx={{ maxWidth: 640 }}>
      <ApplicationOptions />
    </Box>
  );
}
