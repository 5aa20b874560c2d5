import Badge from '@mui/material/Badge';
import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import MuiLink from '@mui/material/Link';
import Popover from '@mui/material/Popover';
import Tooltip from '@mui/material/Tooltip';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { Bell } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { numberText, t } from '#renderer/base/language';
import { useMay, useMerchant } from '#renderer/session/user';
import { PendingApprovals } from '#renderer/shared/approvals';
import { toDoQuery, UrgentItems } from '#renderer/shared/to-do';

const WIDTH_PX = 400;

/** Bell in the header: the number of items of To do, and the most urgent ones on a click. Red if one is overdue or due within a day. */
export function ToDoBell() {
  const may = useMay();
  const isShown = may('reporting:read') || may('approvals:write');
  return (
    <>
      {may('approvals:write') && <PendingApprovals />}
      {isShown && <BellButton />}
    </>
  );
}

function BellButton() {
  const may = useMay();
  const { merchantId } = useMerchant();
  const { data } = useQuery(toDoQuery(merchantId));
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const close = () => setAnchor(null);
  const { total, urgentCount } = data ?? { total: 0, urgentCount: 0 };
  const label = total === 0 ? t('Nothing to do.') : t('To do: {{total, number}}', { total });
  return (
    <>
      <Tooltip title={label}>
        <IconButton aria-label={label} aria-haspopup="dialog" onClick={(event) => setAnchor(event.currentTarget)}>
          <Badge
            badgeContent={numberText(total)}
            invisible={total === 0}
            overlap="circular"
            slotProps={{ badge: { 'aria-hidden': true } }}
            sx={(theme) => ({
              '& .MuiBadge-badge': {
                height: 16,
                minWidth: 16,
                px: 1,
                fontSize: 10,
                color: urgentCount > 0 ? theme.vars.palette.tone.error.main : theme.vars.palette.text.secondary,
                backgroundColor: urgentCount > 0 ? theme.vars.palette.tone.error.tint : theme.vars.palette.wash,
              },
            })}
          >
            <Bell size={18} aria-hidden />
          </Badge>
        </IconButton>
      </Tooltip>
      <Popover
        anchorEl={anchor}
        open={anchor !== null}
        onClose={close}
        transitionDuration={0}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
        transformOrigin={{ vertical: 'top', horizontal: 'right' }}
        slotProps={{ paper: { role: 'dialog', 'aria-label': t('To do'), sx: { width: `min(100% - 32px, ${WIDTH_PX}px)`, px: 4, py: 3 } } }}
      >
        <Box sx={{ display: 'flex', alignItems: 'baseline', justifyContent: 'space-between', gap: 3, mb: 2 }}>
          <Typography variant="h3" component="h2">
            {t('To do')}
          </Typography>
          {total > 0 && may('reporting:read') && (
            <MuiLink component={Link} to="/to-do" onClick={close} sx={{ fontSize: 13 }}>
              {t('All {{count, number}}', { count: total })}
            </MuiLink>
          )}
        </Box>
        {/* A line leads to its record. */}
        <Box onClick={close}>
          <UrgentItems />
        </Box>
      </Popover>
    </>
  );
}
