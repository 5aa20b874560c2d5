import Box from '@mui/material/Box';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import type { CustomerStatement } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { dayText, MoneyText, MutedText } from '#renderer/kit/ui';

type Entry = CustomerStatement['entries'][number];
type Account = CustomerStatement['accounts'][number];

const KINDS: Readonly<Record<Entry['kind'], string>> = {
  invoice: t('Invoice'),
  late_fee: t('Late fee'),
  late_fee_reversed: t('Reversed late fee'),
  cancellation: t('Cancellation'),
  sale: t('Sale'),
  payment: t('Payment'),
  void: t('Voided payment'),
  return: t('Returned payment'),
  refund: t('Refund'),
  store_credit: t('Refund to store credit'),
  credit: t('Credit'),
};

/** Entries of a statement with running balances, one table for each currency. */
export function StatementTable({ statement }: { readonly statement: CustomerStatement }) {
  const { accounts, entries, total } = statement;
  if (accounts.length === 0) return <MutedText>{t('There are no entries until the last day.')}</MutedText>;
  return (
    <Box sx={{ display: 'grid', gap: 6 }}>
      {accounts.map((account) => (
        <AccountTable
          key={account.currency}
          account={account}
          statement={statement}
          entries={entries.filter(({ currency }) => currency === account.currency)}
          isWhole={entries.length === total}
        />
      ))}
      {entries.length < total && (
        <MutedText>
          {t('The first {{shown, number}} of {{count, number}} entries. The files contain all of them.', {
            shown: entries.length,
            count: total,
          })}
        </MutedText>
      )}
    </Box>
  );
}

interface AccountTableProps {
  readonly account: Account;
  readonly statement: CustomerStatement;
  readonly entries: readonly Entry[];
  /** False if entries follow that are not shown. */
  readonly isWhole: boolean;
}

const NUMBER = { textAlign: 'end', whiteSpace: 'nowrap' } as const;
/** On a phone, the balance says enough. */
const WIDE = { ...NUMBER, display: { xs: 'none', sm: 'table-cell' } } as const;

function AccountTable({ account, statement, entries, isWhole }: AccountTableProps) {
  const { currency, openingBalance, charges, credits, closingBalance } = account;
  const strong = { '& td': { fontWeight: 600 } };
  return (
    <Box sx={{ overflowX: 'auto' }}>
      <Table size="small" aria-label={t('Statement in {{currency}}', { currency })}>
        <TableHead>
          <TableRow>
            <TableCell>{t('Date')}</TableCell>
            <TableCell>{t('Description')}</TableCell>
            <TableCell sx={WIDE}>{t('Charges')}</TableCell>
            <TableCell sx={WIDE}>{t('Credits')}</TableCell>
            <TableCell sx={NUMBER}>{t('Balance ({{currency}})', { currency })}</TableCell>
          </TableRow>
        </TableHead>
        <TableBody>
          <TableRow sx={strong}>
            <TableCell>{dayText(statement.startDate)}</TableCell>
            <TableCell>{t('Opening balance')}</TableCell>
            <TableCell sx={WIDE} />
            <TableCell sx={WIDE} />
            <TableCell sx={NUMBER}>
              <MoneyText amount={openingBalance} currency={currency} />
            </TableCell>
          </TableRow>
          {entries.map((entry) => (
            <TableRow key={entry.entryId}>
              <TableCell sx={{ whiteSpace: 'nowrap' }}>{dayText(entry.date)}</TableCell>
              <TableCell>{descriptionOf(entry)}</TableCell>
              <TableCell sx={WIDE}>{entry.charge !== 0 && <MoneyText amount={entry.charge} currency={currency} />}</TableCell>
              <TableCell sx={WIDE}>{entry.credit !== 0 && <MoneyText amount={entry.credit} currency={currency} />}</TableCell>
              <TableCell sx={NUMBER}>
                <MoneyText amount={entry.balance} currency={currency} />
              </TableCell>
            </TableRow>
          ))}
          <TableRow sx={strong}>
            <TableCell>{dayText(statement.endDate)}</TableCell>
            <TableCell>{isWhole ? t('Closing balance') : t('Closing balance, with the entries that are not shown')}</TableCell>
            <TableCell sx={WIDE}>
              <MoneyText amount={charges} currency={currency} />
            </TableCell>
            <TableCell sx={WIDE}>
              <MoneyText amount={credits} currency={currency} />
            </TableCell>
            <TableCell sx={NUMBER}>
              <MoneyText amount={closingBalance} currency={currency} />
            </TableCell>
          </TableRow>
        </TableBody>
      </Table>
    </Box>
  );
}

const descriptionOf = ({ kind, invoiceNumber, dueDate, last4, reference }: Entry): string =>
  [
    [KINDS[kind], invoiceNumber].filter(Boolean).join(' '),
    dueDate && t('due {{date}}', { date: dayText(dueDate) }),
    last4 && `•••• ${last4}`,
    reference,
  ]
    .filter(Boolean)
    .join(', ');
