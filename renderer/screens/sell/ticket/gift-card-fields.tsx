import Box from '@mui/material/Box';
import { t } from '#renderer/base/language';
import { decimalText, writeMoney } from '#renderer/base/money';
import { dayText } from '#renderer/kit/ui';
import { customerName } from '#renderer/shared/customers';
import { EntryField } from '../form/entry-field.tsx';
import type { Terminal } from '../terminal/use-terminal.ts';

/** Fields of a payment with a gift card or store credit, with the balance once it is known. */
export function GiftCardFields({ terminal: { form, rules, giftCard, payer, stage } }: { terminal: Terminal }) {
  const frozen = stage.kind === 'sending';
  const { credit, found } = giftCard;
  const takes = giftCard.takes();
  const money = (amount: number | string) => writeMoney(amount, rules.currency);
  const customer = payer.payer?.customer;
  return (
    <Box sx={{ display: 'grid', columnGap: 3, gridTemplateColumns: 'minmax(0, 1fr) 112px' }}>
      <EntryField
        bound={form.field('giftCode')}
        label={t('Gift card code')}
        required={credit === null}
        masked
        frozen={frozen}
        placeholder={t('Type, scan or swipe')}
        maxLength={CODE_MAX}
      />
      <EntryField bound={form.field('giftPin')} label={t('PIN (optional)')} masked frozen={frozen} maxLength={PIN_MAX} />
      <Box role="status" sx={{ gridColumn: '1 / -1', '&:empty': { display: 'none' } }}>
        {found !== null &&
          t('Gift card {{characters}}: balance {{amount}}.', { characters: found.lastCharacters ?? '', amount: money(found.balance) })}{' '}
        {found?.expiresOn && t('Expires on {{day}}.', { day: dayText(found.expiresOn) })}
        {found === null &&
          credit !== null &&
          customer &&
          t('Without a code, the store credit of {{customer}} pays: balance {{amount}}.', {
            customer: customerName(customer),
            amount: money(credit.balance),
          })}{' '}
        {takes !== null &&
          takes.restMinor > 0 &&
          t('Remaining after this payment: {{amount}}.', { amount: money(decimalText(takes.restMinor, rules.currency)) })}
      </Box>
    </Box>
  );
}

/** Longest code that the service takes: the text of a magnetic stripe. */
const CODE_MAX = 120;
const PIN_MAX = 12;
