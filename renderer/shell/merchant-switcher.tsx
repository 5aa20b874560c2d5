import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { Check, ChevronsUpDown } from 'lucide-react';
import { useState } from 'react';
import { t } from '#renderer/base/language';
import { chooseMerchant, useMe, useMerchant } from '#renderer/session/user';

/** The selected merchant; a menu if the user has access to several. */
export function MerchantSwitcher({ fallback }: { fallback: string }) {
  const { merchants } = useMe();
  const merchant = useMerchant();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  if (merchants.length < 2) {
    return (
      <Box component="span" sx={{ fontWeight: 600, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}>
        {merchant.name || fallback}
      </Box>
    );
  }
  return (
    <>
      <Button
        variant="text"
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
        endIcon={<ChevronsUpDown size={14} aria-hidden />}
        sx={{ marginInlineStart: -3, fontWeight: 600 }}
      >
        {merchant.name}
      </Button>
      <Menu anchorEl={anchor} open={anchor !== null} onClose={() => setAnchor(null)} slotProps={{ list: { 'aria-label': t('Merchant') } }}>
        {merchants.map(({ merchantId, name, currency }) => (
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
            <Box sx={{ flex: 1 }}>{name}</Box>
            <Box sx={{ color: 'text.secondary', fontSize: 12 }}>{currency}</Box>
          </MenuItem>
        ))}
      </Menu>
    </>
  );
}
