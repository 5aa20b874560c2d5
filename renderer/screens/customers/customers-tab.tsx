import Button from '@mui/material/Button';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useRef } from 'react';
import { useAddress } from '#renderer/base/address';
import { t } from '#renderer/base/language';
import { RecordList } from '#renderer/kit/data-table';
import { EmptyState, SearchBox, useShortcuts } from '#renderer/kit/ui';
import { useMay, useMerchant } from '#renderer/session/user';
import { ADDRESS, SORTS } from './address.ts';
import { customerColumns } from './columns.tsx';
import { listQuery } from './queries.ts';

/** Columns that a narrow window leaves out, in this order. */
const LEAVE_OUT = ['createdAt', 'company', 'phone', 'email'];

/** Callbacks of a list to its screen. */
export interface TabProps {
  readonly openId: string | undefined;
  readonly onOpen: (customerId: string) => void;
}

/** All customers of the merchant, with a search. */
export function CustomersTab({ openId, onOpen, onNew }: TabProps & { readonly onNew: () => void }) {
  const { merchantId, timezone } = useMerchant();
  const canWrite = useMay()('customers:write');
  const { values, go } = useAddress(ADDRESS);
  const { q, sort, page } = values;
  const list = useQuery(listQuery(merchantId, q, sort, page));
  const columns = useMemo(() => customerColumns(timezone), [timezone]);
  const search = useRef<HTMLInputElement>(null);
  const focusSearch = () => {
    search.current?.focus();
    search.current?.select();
  };
  useShortcuts(t('Customers'), openId ? [] : [{ keys: '/', label: t('Find a customer'), run: focusSearch }]);
  const setSearch = (text: string) => go({ q: text, sort }, { replace: true });
  return (
    <>
      <SearchBox
        label={t('Search customers')}
        placeholder={t('Name, company, email, phone, last four')}
        widthPx={344}
        value={q}
        inputRef={search}
        onSearch={setSearch}
      />
      <RecordList
        list="Customers"
        leaveOut={LEAVE_OUT}
        query={list}
        label={t('Customers')}
        columns={columns}
        idOf={(row) => row.customerId}
        page={page}
        sort={{ allowed: SORTS, value: sort, onSort: (next) => go({ q, sort: next }) }}
        onPage={(next) => go({ q, sort, page: next })}
        openId={openId}
        onOpen={({ customerId }) => onOpen(customerId)}
        empty={
          q === '' ? (
            <EmptyState title={t('No customers yet')} action={canWrite && <Button onClick={onNew}>{t('Add customer')}</Button>}>
              {t('Customers and their saved cards appear here.')}
            </EmptyState>
          ) : (
            <EmptyState title={t('No match')} action={<Button onClick={() => setSearch('')}>{t('Clear search')}</Button>}>
              {t('No customer’s name, company, email, phone or last four starts with “{{q}}”.', { q })}
            </EmptyState>
          )
        }
      />
    </>
  );
}
