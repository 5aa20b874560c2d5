import Box from '@mui/material/Box';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { addMonths } from '#renderer/base/dates';
import { MonthDays, MonthStrip } from '#renderer/kit/month';
import { QueryContent } from '#renderer/kit/ui';
import { daysQuery, type MerchantScope } from './queries.ts';
import { dayStatus } from './texts.ts';
import { addressOf, type ViewInAddress } from './use-view.ts';

const DAYS_PX = 48;

interface ComparedMonthProps {
  readonly merchantScope: MerchantScope;
  /** The selected day. */
  readonly date: string;
  readonly view: ViewInAddress;
}

/** State of each day of a month, with links. */
export function ComparedMonth({ merchantScope, date, view }: ComparedMonthProps) {
  const [navigated, setNavigated] = useState<{ from: string; month: string }>();
  // Selecting a day of another month also changes the month.
  const month = navigated?.from === date ? navigated.month : date.slice(0, 7);
  const days = useQuery(daysQuery(merchantScope, month));
  return (
    <MonthStrip month={month} onMonth={(by) => setNavigated({ from: date, month: addMonths(month, by) })}>
      <QueryContent query={days} skeleton={<Box sx={{ height: DAYS_PX }} />}>
        {(data) => (
          <MonthDays
            month={month}
            chosen={date}
            days={data.map((day) => {
              const { state, text } = dayStatus(day);
              const to = addressOf({ ...view, date: day.date, page: 1, line: undefined });
              return { date: day.date, state, text, isBlank: state === 'unsettled', to };
            })}
          />
        )}
      </QueryContent>
    </MonthStrip>
  );
}
