import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { useQuery } from '@tanstack/react-query';
import type { RefObject } from 'react';
import { Link } from 'react-router';
import { t } from '#renderer/base/language';
import { useMerchant } from '#renderer/session/user';
import { cardReadersQuery, openReader } from '#renderer/shared/card-readers';

interface SimulatedReadersProps {
  readonly anchor: RefObject<HTMLElement | null>;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Menu of the simulated card readers of the merchant. The chosen one is shown beside every screen. */
export function SimulatedReaders({ anchor, isOpen, onClose }: SimulatedReadersProps) {
  const { merchantId } = useMerchant();
  const { data: readers = [] } = useQuery({ ...cardReadersQuery(merchantId), enabled: isOpen });
  return (
    <Menu
      anchorEl={() => anchor.current}
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
  );
}
