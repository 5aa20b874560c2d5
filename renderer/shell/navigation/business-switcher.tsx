import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { Check, ChevronsUpDown } from 'lucide-react';
import { useState } from 'react';
import { t } from '#renderer/base/language';
import { VISUALLY_HIDDEN } from '#renderer/kit/ui';
import { chooseMerchant, useMe, useMerchant } from '#renderer/session/user';

/** The selected business at the head of the navigation; a menu if the user has access to several. */
export function BusinessSwitcher({ isNarrow }: { readonly isNarrow: boolean }) {
  const { merchants, tenant } = useMe();
  const merchant = useMerchant();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const name = merchant.name || tenant.name;
  const content = (
    <>
      <Box
        aria-hidden
        sx={(theme) => ({
          width: 28,
          height: 28,
          flexShrink: 0,
          display: 'grid',
          placeItems: 'center',
          borderRadius: 1,
          fontSize: 14,
          fontWeight: 650,
          color: theme.vars.palette.primary.contrastText,
          backgroundColor: theme.vars.palette.primary.main,
        })}
      >
        {[...name][0]?.toUpperCase()}
      </Box>
      <Box
        component="span"
        sx={isNarrow ? VISUALLY_HIDDEN : { flex: 1, minWidth: 0, fontWeight: 600, textAlign: 'start', lineHeight: '18px', ...TWO_LINES }}
      >
        {name}
      </Box>
    </>
  );
  const row = {
    height: 52,
    display: 'flex',
    alignItems: 'center',
    justifyContent: isNarrow ? 'center' : 'flex-start',
    gap: 2.5,
    px: isNarrow ? 0 : 1.5,
  };
  if (merchants.length < 2) return <Box sx={row}>{content}</Box>;
  return (
    <Box sx={{ height: 52, display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <ButtonBase
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        title={isNarrow ? name : undefined}
        onClick={(event) => setAnchor(event.currentTarget)}
        sx={(theme) => ({
          ...row,
          height: 44,
          my: 1,
          width: '100%',
          borderRadius: 1,
          font: 'inherit',
          '&:hover': { backgroundColor: theme.vars.palette.wash },
          '&:focus-visible': { outline: `2px solid ${theme.vars.palette.primary.main}`, outlineOffset: -2 },
        })}
      >
        {content}
        {!isNarrow && <ChevronsUpDown size={14} aria-hidden style={{ flexShrink: 0 }} />}
      </ButtonBase>
      <Menu anchorEl={anchor} open={anchor !== null} onClose={() => setAnchor(null)} slotProps={{ list: { 'aria-label': t('Merchant') } }}>
        {merchants.map(({ merchantId, name: merchantName, currency }) => (
          <MenuItem
            key={merchantId}
            role="menuitemradio"
            aria-checked={merchantId === merchant.merchantId}
            onClick={() => {
              chooseMerchant(merchantId);
              setAnchor(null);
            }}
          >
            <Box sx={{ width: 18, display: 'inline-flex' }}>{merchantId === merchant.merchantId && <Check size={16} aria-hidden />}</Box>
            <Box sx={{ flex: 1 }}>{merchantName}</Box>
            <Box sx={{ color: 'text.secondary', fontSize: 12 }}>{currency}</Box>
          </MenuItem>
        ))}
      </Menu>
    </Box>
  );
}

const TWO_LINES = { display: '-webkit-box', WebkitBoxOrient: 'vertical', WebkitLineClamp: 2, overflow: 'hidden' } as const;
