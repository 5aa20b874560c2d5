import Box from '@mui/material/Box';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import type { ReactNode } from 'react';
import { t } from '#renderer/base/language';
import { SALE_TYPES, type SaleMode, type SaleType } from './form.ts';

const TYPE_LABELS: Readonly<Record<SaleType, string>> = { sale: t('Sale'), auth: t('Auth') };
const MODE_LABELS: Readonly<Record<SaleMode, string>> = {
  reader: t('Reader'),
  card: t('Card'),
  bank: t('Bank'),
  saved: t('Saved'),
};

interface ModeBarProps {
  readonly type: SaleType;
  readonly mode: SaleMode;
  readonly modes: readonly SaleMode[];
  readonly frozen: boolean;
  readonly onType: (type: SaleType) => void;
  readonly onMode: (mode: SaleMode) => void;
  readonly children?: ReactNode;
}

/** Toggles for the transaction type and the payment method. */
export function ModeBar({ type, mode, modes, frozen, onType, onMode, children }: ModeBarProps) {
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 3 }}>
      <ToggleButtonGroup
        exclusive
        size="small"
        aria-label={t('Transaction type')}
        value={type}
        disabled={frozen}
        onChange={(_, next: SaleType | null) => next && onType(next)}
      >
        {SALE_TYPES.map((option) => (
          <ToggleButton key={option} value={option}>
            {TYPE_LABELS[option]}
          </ToggleButton>
        ))}
      </ToggleButtonGroup>
      {modes.length > 1 && (
        <ToggleButtonGroup
          exclusive
          size="small"
          aria-label={t('Payment method')}
          sx={{ flexWrap: 'wrap' }}
          value={mode}
          disabled={frozen}
          onChange={(_, next: SaleMode | null) => next && onMode(next)}
        >
          {modes.map((option) => (
            <ToggleButton key={option} value={option}>
              {MODE_LABELS[option]}
            </ToggleButton>
          ))}
        </ToggleButtonGroup>
      )}
      <Box sx={{ marginInlineStart: 'auto' }}>{children}</Box>
    </Box>
  );
}
