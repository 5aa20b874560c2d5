import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import TextField from '@mui/material/TextField';
import { Plus, X } from 'lucide-react';
import { t } from '#renderer/base/language';
import { decimalText, writeMoney } from '#renderer/base/money';
import { DateField } from '#renderer/session/date-entry';
import { type OwnInstallment, type ScheduleProblem, unplannedMinor } from './own-schedule.ts';

interface OwnScheduleFieldsProps {
  readonly installments: readonly OwnInstallment[];
  readonly onChange: (installments: readonly OwnInstallment[]) => void;
  readonly amountDue: number;
  readonly currency: string;
  readonly problem: ScheduleProblem | null;
  readonly min: number;
  readonly max: number;
}

export const ownFieldId = (id: number, field: ScheduleProblem['field']) => `installment-${id}-${field}`;

/** Dates and amounts of an installment plan, and the amount that is left to plan. */
export function OwnScheduleFields({ installments, onChange, amountDue, currency, problem, min, max }: OwnScheduleFieldsProps) {
  const rest = unplannedMinor(installments, { amountDue, currency });
  const set = (id: number, change: Partial<OwnInstallment>) =>
    onChange(installments.map((each) => (each.id === id ? { ...each, ...change } : each)));
  const add = () =>
    onChange([
      ...installments,
      {
        id: Math.max(0, ...installments.map(({ id }) => id)) + 1,
        dueDate: '',
        amount: rest > 0 ? decimalText(rest, currency) : '',
      },
    ]);
  const problemAt = (id: number, field: ScheduleProblem['field']) =>
    problem?.id === id && problem.field === field ? problem.text : undefined;
  return (
    <Box role="group" aria-label={t('Own dates and amounts')} sx={{ display: 'grid', gap: 3 }}>
      {installments.map(({ id, dueDate, amount }, index) => (
        <Box key={id} sx={{ display: 'grid', gap: 3, gridTemplateColumns: 'minmax(0, 1fr) minmax(0, 1fr) 40px', alignItems: 'start' }}>
          <DateField
            id={ownFieldId(id, 'date')}
            label={t('Date of installment {{number}}', { number: index + 1 })}
            value={dueDate}
            onChange={(day) => set(id, { dueDate: day })}
            error={problemAt(id, 'date') !== undefined}
            helperText={problemAt(id, 'date')}
          />
          <TextField
            id={ownFieldId(id, 'amount')}
            label={t('Amount of installment {{number}}, {{currency}}', { number: index + 1, currency })}
            value={amount}
            onChange={({ target }) => set(id, { amount: target.value })}
            error={problemAt(id, 'amount') !== undefined}
            helperText={problemAt(id, 'amount')}
            slotProps={{ htmlInput: { inputMode: 'decimal', autoComplete: 'off', maxLength: 18 } }}
          />
          <IconButton
            aria-label={t('Remove installment {{number}}', { number: index + 1 })}
            disabled={installments.length <= min}
            onClick={() => onChange(installments.filter((each) => each.id !== id))}
          >
            <X size={16} aria-hidden />
          </IconButton>
        </Box>
      ))}
      <Box sx={{ display: 'flex', alignItems: 'center', justifyContent: 'space-between', gap: 3 }}>
        <Button variant="text" startIcon={<Plus size={16} aria-hidden />} disabled={installments.length >= max} onClick={add}>
          {t('Add installment')}
        </Button>
        <Box sx={{ fontSize: 13, color: rest === 0 ? 'text.secondary' : 'error.main' }} aria-live="polite">
          {t('Left to plan: {{amount}}', { amount: writeMoney(decimalText(rest, currency), currency) })}
        </Box>
      </Box>
    </Box>
  );
}
