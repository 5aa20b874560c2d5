import Box from '@mui/material/Box';
import TextField from '@mui/material/TextField';
import { type KeyboardEvent, useState } from 'react';
import { t } from '#renderer/base/language';
import { decimalText, denominationsOf, readAmount, toMinor, writeAmount } from '#renderer/base/money';
import { ChoiceButtons } from '#renderer/kit/choices';
import { focusField, MoneyText } from '#renderer/kit/ui';
import type { Count } from './queries.ts';

type Mode = 'notes' | 'sum';

/** A count of cash as it is typed. */
interface CountEntry {
  readonly mode: Mode;
  readonly setMode: (mode: Mode) => void;
  /** Typed number of notes or coins by their value in minor units. */
  readonly quantities: ReadonlyMap<number, string>;
  readonly setQuantity: (denomination: number, text: string) => void;
  readonly sum: string;
  readonly setSum: (text: string) => void;
  readonly currency: string;
  /** Sum in minor units; undefined while something is not a number. */
  readonly totalMinor: number | undefined;
  /** The count for the service; undefined while something is not a number. */
  readonly count: Count | undefined;
}

const WHOLE = /^\d{0,6}$/;

/** State of a count by denomination, or of its sum only. */
export function useCount(currency: string, firstMode: Mode): CountEntry {
  const [mode, setMode] = useState(firstMode);
  const [quantities, setQuantities] = useState<ReadonlyMap<number, string>>(new Map());
  const [sum, setSum] = useState('');
  const isCounted = [...quantities.values()].every((text) => WHOLE.test(text.trim()));
  const counted = [...quantities]
    .map(([value, text]) => ({ value, quantity: Number(text.trim() || '0') }))
    .filter(({ quantity }) => quantity > 0);
  const read = readAmount(sum, currency);
  const sumMinor = read.kind === 'valid' ? toMinor(Number(read.decimal), currency) : read.kind === 'zero' ? 0 : undefined;
  const notesMinor = isCounted ? counted.reduce((total, { value, quantity }) => total + value * quantity, 0) : undefined;
  const totalMinor = mode === 'notes' ? notesMinor : sumMinor;
  const countOf = (): Count | undefined => {
    if (totalMinor === undefined) return undefined;
    if (mode === 'sum') return { amount: decimalText(totalMinor, currency) };
    return { count: counted.map(({ value, quantity }) => ({ denomination: decimalText(value, currency), quantity })) };
  };
  return {
    mode,
    setMode,
    quantities,
    setQuantity: (denomination, text) => setQuantities((now) => new Map(now).set(denomination, text)),
    sum,
    setSum,
    currency,
    totalMinor,
    count: countOf(),
  };
}

/** ID of the first field of a count. */
export const firstFieldOf = ({ mode, currency }: CountEntry) => (mode === 'sum' ? 'count-sum' : `count-${denominationsOf(currency)[0]}`);

/** Fields for the number of each note and coin, with the sum. Enter moves to the next field, and submits in the last one. */
export function CountFields({ entry }: { entry: CountEntry }) {
  const { mode, setMode, quantities, setQuantity, sum, setSum, currency, totalMinor } = entry;
  const denominations = denominationsOf(currency);
  const onKeyDown = (index: number) => (event: KeyboardEvent) => {
    const step = { Enter: 1, ArrowDown: 1, ArrowUp: -1 }[event.key];
    const next = step === undefined ? undefined : denominations[index + step];
    if (next === undefined) return;
    event.preventDefault();
    focusField(`count-${next}`);
  };
  return (
    <Box sx={{ display: 'grid', gap: 4 }}>
      <ChoiceButtons
        label={t('Count')}
        options={[
          ['notes', t('Notes and coins')],
          ['sum', t('Sum only')],
        ]}
        value={mode}
        onChange={setMode}
      />
      {mode === 'sum' ? (
        <TextField
          id="count-sum"
          autoFocus
          label={t('Counted cash, {{currency}}', { currency })}
          value={sum}
          onChange={({ target }) => setSum(target.value)}
          error={totalMinor === undefined && sum !== ''}
          slotProps={{ htmlInput: { inputMode: 'decimal', autoComplete: 'off', maxLength: 18 } }}
        />
      ) : (
        <Box
          sx={{
            display: 'grid',
            columnGap: 6,
            rowGap: 2,
            gridTemplateRows: `repeat(${Math.ceil(denominations.length / 2)}, auto)`,
            gridAutoFlow: 'column',
            gridAutoColumns: '1fr',
          }}
        >
          {denominations.map((denomination, index) => {
            const text = quantities.get(denomination) ?? '';
            const isWrong = !WHOLE.test(text.trim());
            const name = writeAmount(decimalText(denomination, currency), currency);
            return (
              <Box
                key={denomination}
                sx={{ display: 'grid', gridTemplateColumns: '72px 88px minmax(0, 1fr)', gap: 2, alignItems: 'center' }}
              >
                <Box component="label" htmlFor={`count-${denomination}`} sx={{ textAlign: 'end', fontVariantNumeric: 'tabular-nums' }}>
                  {name} ×
                </Box>
                <TextField
                  id={`count-${denomination}`}
                  autoFocus={index === 0}
                  size="small"
                  value={text}
                  error={isWrong}
                  onChange={({ target }) => setQuantity(denomination, target.value)}
                  onKeyDown={onKeyDown(index)}
                  slotProps={{
                    htmlInput: { inputMode: 'numeric', autoComplete: 'off', maxLength: 7, style: { textAlign: 'end', paddingBlock: 6 } },
                  }}
                />
                <Box sx={{ textAlign: 'end', color: 'text.secondary' }}>
                  {!isWrong && Number(text) > 0 && (
                    <MoneyText amount={Number(decimalText(denomination * Number(text), currency))} currency={currency} />
                  )}
                </Box>
              </Box>
            );
          })}
        </Box>
      )}
      <Box sx={{ display: 'flex', justifyContent: 'space-between', alignItems: 'baseline' }}>
        <span>{t('Counted')}</span>
        <Box component="output" sx={{ fontSize: 24, fontWeight: 600 }} data-counted>
          {totalMinor === undefined ? '–' : <MoneyText amount={Number(decimalText(totalMinor, currency))} currency={currency} code />}
        </Box>
      </Box>
    </Box>
  );
}
