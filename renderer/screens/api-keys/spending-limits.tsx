import Box from '@mui/material/Box';
import FormControlLabel from '@mui/material/FormControlLabel';
import Switch from '@mui/material/Switch';
import TextField from '@mui/material/TextField';
import type { ApiKey } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { useMe, useMerchant } from '#renderer/session/user';

/** Spending limits as they are typed; null means none. */
export interface LimitsForm {
  readonly currency: string;
  readonly perPayment: string;
  readonly perDay: string;
  readonly liveWrites: boolean;
  readonly overLimit: 'refuse' | 'ask';
}

export function limitsFormOf({ spendingLimits }: Pick<ApiKey, 'spendingLimits'>): LimitsForm | null {
  if (spendingLimits === null) return null;
  const { currency, perPayment, perDay, liveWrites, overLimit } = spendingLimits;
  return { currency, perPayment: String(perPayment ?? ''), perDay: String(perDay ?? ''), liveWrites, overLimit };
}

/** Returns the limits as the API accepts them. An empty field means no limit. */
export function limitsOf(form: LimitsForm | null) {
  if (form === null) return null;
  const { currency, liveWrites, overLimit } = form;
  const amountOf = (text: string) => (text.trim() === '' ? null : text.trim());
  return { currency, perPayment: amountOf(form.perPayment), perDay: amountOf(form.perDay), liveWrites, overLimit };
}

/** Returns the limits as one line: "50 USD per payment, 200 USD a day, 20 moved today". */
export function describeLimits({ spendingLimits }: Pick<ApiKey, 'spendingLimits'>): string | null {
  if (spendingLimits === null) return null;
  const { currency, perPayment, perDay, movedToday } = spendingLimits;
  const parts = [
    perPayment === null ? null : t('{{amount}} {{currency}} per payment', { amount: perPayment, currency }),
    perDay === null ? null : t('{{amount}} {{currency}} a day', { amount: perDay, currency }),
    t('{{amount}} {{currency}} moved today', { amount: movedToday, currency }),
  ];
  return parts.filter((part) => part !== null).join(', ');
}

interface SpendingLimitsFieldsProps {
  readonly value: LimitsForm | null;
  readonly onValue: (value: LimitsForm | null) => void;
  /** Message about an invalid limit. */
  readonly fault?: string;
}

/** Fields for the limits of a key, which are meant for agents and other programs that are not fully trusted. */
export function SpendingLimitsFields({ value, onValue, fault }: SpendingLimitsFieldsProps) {
  const { tenant } = useMe();
  const { currency } = useMerchant();
  const input = { htmlInput: { inputMode: 'decimal', autoComplete: 'off', maxLength: 20 } } as const;
  return (
    <Box sx={{ display: 'grid', gap: 3 }}>
      <FormControlLabel
        control={
          <Switch
            checked={value !== null}
            onChange={(_, next) => onValue(next ? { currency, perPayment: '', perDay: '', liveWrites: false, overLimit: 'refuse' } : null)}
          />
        }
        label={t('Limit the money that it moves (for agents and programs that you don’t fully trust)')}
      />
      {value !== null && (
        <>
          <Box sx={{ display: 'grid', gridTemplateColumns: '1fr 1fr', gap: 4 }}>
            <TextField
              id="limit-payment"
              label={t('Largest payment ({{currency}})', { currency: value.currency })}
              value={value.perPayment}
              onChange={(event) => onValue({ ...value, perPayment: event.target.value })}
              error={fault !== undefined}
              helperText={fault ?? t('Sales, refunds, voids and links')}
              slotProps={input}
            />
            <TextField
              id="limit-day"
              label={t('Sum per day ({{currency}})', { currency: value.currency })}
              value={value.perDay}
              onChange={(event) => onValue({ ...value, perDay: event.target.value })}
              helperText={t('Including declined payments')}
              slotProps={input}
            />
          </Box>
          <FormControlLabel
            control={
              <Switch
                checked={value.overLimit === 'ask'}
                onChange={(_, asks) => onValue({ ...value, overLimit: asks ? 'ask' : 'refuse' })}
              />
            }
            label={t('Ask a person to approve what is above the limits, instead of refusing it')}
          />
          {tenant.environment === 'live' && (
            <FormControlLabel
              control={<Switch checked={value.liveWrites} onChange={(_, liveWrites) => onValue({ ...value, liveWrites })} />}
              label={t('Allow changes on this live account')}
            />
          )}
        </>
      )}
    </Box>
  );
}
