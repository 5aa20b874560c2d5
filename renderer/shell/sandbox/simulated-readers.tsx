import IconButton from '@mui/material/IconButton';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { useQuery } from '@tanstack/react-query';
import { Nfc } from 'lucide-react';
import { useRef } from 'react';
import { Link } from 'react-router';
import { t } from '#renderer/base/language';
import { useMerchant } from '#renderer/session/user';
import { cardReadersQuery, openReader } from '#renderer/shared/card-readers';

interface SimulatedReadersProps {
  readonly isOpen: boolean;
  readonly onOpen: () => void;
  readonly onClose: () => void;
}

/** Menu of the simulated card readers of the merchant. The chosen one is shown beside every screen. */
export function SimulatedReaders({ isOpen, onOpen, onClose }: SimulatedReadersProps) {
  const { merchantId } = useMerchant();
  const { data: readers = [] } = useQuery({ ...cardReadersQuery(merchantId), enabled: isOpen });
  const button = useRef<HTMLButtonElement>(null);
  return (
    <>
      <IconButton
        ref={button}
        size="small"
        onClick={onOpen}
        aria-label={t('Simulated card readers')}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        title={t('Simulated card readers')}
        sx={(theme) => ({ color: theme.vars.palette.tone.warning.main, display: { xs: 'none', sm: 'inline-flex' } })}
      >
        <Nfc size={16} aria-hidden />
      </IconButton>
      <Menu
        anchorEl={() => button.current}
        open={isOpen}
        onClose={onClose}
        slotProps={{ list: { 'aria-label': t('Simulated card readers') } }}
      >
        {readers.map(({ terminalId, name, serialNumber }) => (
          <MenuItem
            key={terminalId}
            onClick={() => {
              onClose();
              openReader(terminalId);
            }}
          >
            {name}
            <span style={{ marginInlineStart: 16, opacity: 0.8 }}>{serialNumber}</span>
          </MenuItem>
        ))}
        <MenuItem component={Link} to="/settings/readers" onClick={onClose}>
          {t('Pair card reader')}
        </MenuItem>
      </Menu>
    </>
  );
}
