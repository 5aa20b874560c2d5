import Box from '@mui/material/Box';
import { addDays } from '#renderer/base/dates';
import { t } from '#renderer/base/language';
import { ChoiceButtons } from '#renderer/kit/choices';
import { DateField } from '#renderer/session/date-entry';

const DUE_PRESETS = [
  { days: 0, name: t('Today') },
  { days: 7, name: t('7 days') },
  { days: 14, name: t('14 days') },
  { days: 30, name: t('30 days') },
] as const;

interface DueFieldProps {
  readonly value: string;
  readonly today: string;
  readonly onChange: (day: string) => void;
  readonly problem: string | undefined;
}

/** Due date: a date or a common number of days. */
export function DueField({ value, today, onChange, problem }: DueFieldProps) {
  const chosen = DUE_PRESETS.find(({ days }) => addDays(today, days) === value)?.days ?? null;
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 3, alignItems: 'flex-start' }}>
      <DateField
        id="invoice-due"
        label={t('Due date')}
        value={value}
        onChange={onChange}
        error={problem !== undefined}
        helperText={problem}
        sx={{ width: 168 }}
        min={today}
      />
      <ChoiceButtons
        label={t('Due in')}
        options={DUE_PRESETS.map(({ days, name }) => [days, name] as const)}
        value={chosen}
        onChange={(days) => onChange(addDays(today, days))}
        sx={{ mt: 5, height: 40 }}
      />
    </Box>
  );
}
