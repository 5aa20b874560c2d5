import Box from '@mui/material/Box';
import { useQuery } from '@tanstack/react-query';
import { t } from '#renderer/base/language';
import { DateField } from '#renderer/session/date-entry';
import { eventCountQuery } from './queries.ts';

interface CatchUpFieldProps {
  readonly events: readonly string[];
  /** First day, YYYY-MM-DD. */
  readonly from: string;
  readonly onChange: (from: string) => void;
  readonly isDisabled?: boolean;
  readonly autoFocus?: boolean;
}

/** The day since which earlier events are sent, with their number. */
export function CatchUpField({ events, from, onChange, isDisabled = false, autoFocus = false }: CatchUpFieldProps) {
  const count = useQuery({ ...eventCountQuery(events, from), enabled: !isDisabled && from !== '' && events.length > 0 });
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 3 }}>
      <DateField
        id="catch-up-from"
        label={t('Events since')}
        value={from}
        onChange={onChange}
        disabled={isDisabled}
        autoFocus={autoFocus}
      />
      {!isDisabled && (
        <Box aria-live="polite" className="figures" sx={{ fontSize: 13, color: 'text.secondary', whiteSpace: 'nowrap' }}>
          {count.data !== undefined && t('{{count, number}} events', { count: count.data })}
          {count.error?.message}
        </Box>
      )}
    </Box>
  );
}
