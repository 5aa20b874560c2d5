import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { t } from '#renderer/base/language';
import { writeAmount } from '#renderer/base/money';
import type { AmountEntry } from './amount-entry.ts';
import { AmountField } from './amount-field.tsx';

interface BoundedAmountProps {
  readonly id: string;
  readonly label: string;
  readonly entry: AmountEntry;
  readonly currency: string;
  readonly hint?: string;
}

/** Amount field with a maximum. If the entry exceeds it, shows the available amount with a button that fills it in. */
export function BoundedAmount({ id, label, entry, currency, hint }: BoundedAmountProps) {
  const { available } = entry;
  return (
    <Box>
      <AmountField
        id={id}
        label={label}
        currency={currency}
        value={entry.text}
        onChange={entry.setText}
        problem={entry.problem}
        {...(hint !== undefined && { hint })}
      />
      {available !== undefined && Number(available) > 0 && (
        <Button size="small" onClick={() => entry.setText(available)} sx={{ mt: 2 }}>
          {t('Use {{amount}}', { amount: writeAmount(available, currency) })}
        </Button>
      )}
    </Box>
  );
}
