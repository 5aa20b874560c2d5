import Box from '@mui/material/Box';
import { ApiFailure } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { decimalText, exponentOf, writeMoney } from '#renderer/base/money';
import { dayText } from '#renderer/kit/ui';

/** A line of a file that may be stored already, as the refusal of the import lists it. */
interface DoubtfulLine {
  readonly line: number;
  readonly day: string;
  readonly amount: number;
  readonly lineId: string;
  readonly hasSameText: boolean;
}

/** Returns the lines about which an import asks; null for any other failure. */
export function doubtfulLinesOf(failure: Error | null): readonly DoubtfulLine[] | null {
  if (!(failure instanceof ApiFailure) || failure.details.reason !== 'doubtful_lines') return null;
  return Array.isArray(failure.details.lines) ? (failure.details.lines as DoubtfulLine[]) : null;
}

const LISTED = 5;

/** Shows the lines of a file that may be in an earlier statement. */
export function DoubtfulLines({ lines, currency }: { readonly lines: readonly DoubtfulLine[]; readonly currency: string }) {
  const more = lines.length - LISTED;
  return (
    <Box role="alert" sx={{ fontSize: 14 }}>
      <p>{t('Lines of this file may be stored already. Compare them before you choose.')}</p>
      <Box component="ul" sx={{ m: 0, paddingInlineStart: 5 }}>
        {lines.slice(0, LISTED).map(({ line, day, amount, hasSameText }) => {
          const minor = Math.round(amount * 10 ** exponentOf(currency));
          const values = { line, day: dayText(day), amount: writeMoney(decimalText(minor, currency), currency) };
          return (
            <li key={line}>
              {hasSameText
                ? t('Line {{line}}: {{day}}, {{amount}}. An earlier line has the same text.', values)
                : t('Line {{line}}: {{day}}, {{amount}}. An earlier line has another text.', values)}
            </li>
          );
        })}
      </Box>
      {more > 0 && <p>{t('More lines like these: {{more}}', { more })}</p>}
    </Box>
  );
}
