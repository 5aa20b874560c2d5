import Box from '@mui/material/Box';
import type { SxProps, Theme } from '@mui/material/styles';
import { writeAmount } from '#renderer/base/money';

interface MoneyTextProps {
  /** The API's decimal number. */
  readonly amount: number;
  readonly currency: string;
  /** Shows the currency code after the amount; leave it out if a header shows it. */
  readonly code?: boolean;
  readonly sx?: SxProps<Theme>;
}

/** An amount with all decimals of its currency, thousands separators and tabular figures. A negative amount has a true minus sign. */
export function MoneyText({ amount, currency, code = false, sx }: MoneyTextProps) {
  return (
    <Box component="span" sx={[{ fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' }, ...(Array.isArray(sx) ? sx : [sx])]}>
      {writeAmount(amount, currency).replace('-', '−')}
      {code && ' '}
      {code && (
        <Box component="span" sx={{ fontSize: '0.72em', fontWeight: 500, color: 'text.secondary' }}>
          {currency}
        </Box>
      )}
    </Box>
  );
}
