import Box from '@mui/material/Box';
import { t } from '#renderer/base/language';

/** Badge for test mode, in which no money moves. Live mode has no badge. */
export function TestBadge() {
  return (
    <Box
      component="span"
      sx={(theme) => ({
        px: 1.5,
        borderRadius: 1,
        fontSize: 12,
        lineHeight: '22px',
        fontWeight: 700,
        letterSpacing: '0.06em',
        color: theme.vars.palette.warning.contrastText,
        backgroundColor: theme.vars.palette.warning.main,
      })}
    >
      {t('TEST')}
    </Box>
  );
}
