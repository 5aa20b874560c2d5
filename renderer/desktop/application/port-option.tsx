import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { t } from '#renderer/base/language';

interface PortOptionProps {
  readonly port: number;
  /** Returns to the default port. */
  readonly onReset: () => void;
}

/** A manually chosen port, with a button that restores the default. */
export function PortOption({ port, onReset }: PortOptionProps) {
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 3 }}>
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Box sx={{ fontWeight: 600 }}>{t('The API uses port {{port}}', { port })}</Box>
        <Box sx={{ fontSize: 13, color: 'text.secondary' }}>
          {t('This port was chosen manually, and no other port is tried. The default is 4801, or the next free port.')}
        </Box>
      </Box>
      <Button onClick={onReset}>{t('Use default port after restart')}</Button>
    </Box>
  );
}
