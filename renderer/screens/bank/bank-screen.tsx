import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { MerchantBankAccount } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { SavedViews } from '#renderer/kit/list-settings';
import { PageActions } from '#renderer/kit/record';
import { dayText, EmptyState, QueryContent, Screen, SelectField } from '#renderer/kit/ui';
import { useMay, useMerchant } from '#renderer/session/user';
import { lastFourText } from '#shared/card-brands';
import { AccountDialog } from './account-dialog.tsx';
import { EditAccountDialog } from './edit-account-dialog.tsx';
import { ImportDialog } from './import-dialog.tsx';
import { LineList } from './line-list.tsx';
import { accountsQuery } from './queries.ts';
import { RulesDialog } from './rules-dialog.tsx';
import { SectionTabs } from './section-tabs.tsx';
import { useView } from './use-view.ts';

type OpenDialog = 'import' | 'account' | 'edit' | 'rules';

/** Lines of a bank account, matched with payouts, invoices and deposits. */
export function BankScreen() {
  const merchant = useMerchant();
  const canWrite = useMay()('settlement:write');
  const { values, go } = useView();
  const [dialog, setDialog] = useState<OpenDialog>();
  const accounts = useQuery(accountsQuery(merchant.merchantId));
  const account = accounts.data?.find(({ bankAccountId }) => bankAccountId === values.account) ?? accounts.data?.[0];
  const close = () => setDialog(undefined);
  return (
    <Screen
      title={t('Reconciliation')}
      fillsHeight
      subtitle={account ? subtitleOf(account) : t('Match bank statements with payouts and invoices.')}
      filter={
        <Box sx={{ display: 'flex', alignItems: 'flex-end', justifyContent: 'space-between', gap: 4, flexWrap: 'wrap' }}>
          <SectionTabs section="bank" />
          {account && accounts.data && accounts.data.length > 1 && (
            <AccountField accounts={accounts.data} account={account} onChange={(chosen) => go({ account: chosen })} />
          )}
        </Box>
      }
      actions={
        account && (
          <PageActions
            group={t('Bank')}
            actions={[
              ...(canWrite ? [{ keys: 'I', label: t('Import statement'), run: () => setDialog('import') }] : []),
              { label: t('Rules'), run: () => setDialog('rules') },
              ...(canWrite
                ? [
                    { label: t('Edit bank account'), keys: 'E', run: () => setDialog('edit') },
                    { label: t('Add bank account'), run: () => setDialog('account') },
                  ]
                : []),
            ]}
          >
            <SavedViews path="/reconciliation/bank" />
          </PageActions>
        )
      }
    >
      <QueryContent query={accounts} skeleton={<Box sx={{ flex: 1 }} />}>
        {() =>
          account ? (
            <LineList key={account.bankAccountId} account={account} onImport={() => setDialog('import')} />
          ) : (
            <EmptyState
              title={t('No bank account')}
              action={
                canWrite && (
                  <Button variant="contained" color="primary" onClick={() => setDialog('account')}>
                    {t('Add bank account')}
                  </Button>
                )
              }
            >
              {t('The lines of your bank statements appear here, with the payouts and invoices that explain them.')}
            </EmptyState>
          )
        }
      </QueryContent>
      {dialog === 'import' && account && <ImportDialog account={account} onClose={close} />}
      {dialog === 'edit' && account && (
        <EditAccountDialog
          key={account.bankAccountId}
          account={account}
          onClose={close}
          onRemoved={() => {
            close();
            go({ account: undefined, line: undefined });
          }}
        />
      )}
      {dialog === 'rules' && <RulesDialog onClose={close} />}
      {dialog === 'account' && (
        <AccountDialog
          onClose={close}
          onCreated={(bankAccountId) => {
            go({ account: bankAccountId });
            setDialog('import');
          }}
        />
      )}
    </Screen>
  );
}

interface AccountFieldProps {
  readonly accounts: readonly MerchantBankAccount[];
  readonly account: MerchantBankAccount;
  readonly onChange: (bankAccountId: string) => void;
}

/** The account whose lines are shown. It is in the row of the tabs, because it does not fit beside the buttons in a narrow window. */
function AccountField({ accounts, account, onChange }: AccountFieldProps) {
  return (
    <SelectField
      size="small"
      fullWidth={false}
      id="bank-account"
      label={t('Bank account')}
      value={account.bankAccountId}
      options={accounts.map(({ bankAccountId, name }) => [bankAccountId, name] as const)}
      onChange={onChange}
      sx={{ width: 240 }}
    />
  );
}

function subtitleOf({ name, last4, currency, lastStatementDay }: MerchantBankAccount): string {
  const statement = lastStatementDay === null ? t('no statement yet') : t('statements until {{day}}', { day: dayText(lastStatementDay) });
  return `${name}${last4 === null ? '' : ` ${lastFourText(last4)}`}, ${currency}, ${statement}`;
}
