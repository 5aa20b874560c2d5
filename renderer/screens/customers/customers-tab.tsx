import Button from '@mui/material/Button';
import { useGridApiRef } from '@mui/x-data-grid';
import { useQuery } from '@tanstack/react-query';
import { type Ref, useMemo, useRef } from 'react';
import { useAddress } from '#renderer/base/address';
import { t } from '#renderer/base/language';
import { DataTable } from '#renderer/kit/data-table';
import { EmptyState, QueryContent, SearchBox, useShortcuts } from '#renderer/kit/ui';
import { useMay, useMerchant } from '#renderer/session/user';
import { ADDRESS } from './address.ts';
import { customerColumns } from './columns.tsx';
import { listQuery, PAGE_SIZE } from './queries.ts';
import { type Rows, useRows } from './rows.ts';

/** Columns that a narrow window leaves out, in this order. */
const LEAVE_OUT = ['company', 'phone'];

const FIRST_FIELD = 'name';
const NO_ROWS: never[] = [];

/** Callbacks of a list to its screen. */
export interface TabProps {
  readonly openId: string | undefined;
  readonly onOpen: (customerId: string) => void;
  readonly ref: Ref<Rows>;
}

/** All customers of the merchant, with a search. */
export function CustomersTab({ openId, onOpen, onNew, ref }: TabProps & { readonly onNew: () => void }) {
  const { merchantId, timezone } = useMerchant();
  const canWrite = useMay()('customers:write');
  const { values, go } = useAddress(ADDRESS);
  const { q, page } = values;
  const list = useQuery(listQuery(merchantId, q, page));
  const columns = useMemo(() => customerColumns(timezone), [timezone]);
  const grid = useGridApiRef();
  const search = useRef<HTMLInputElement>(null);
  const focusFirstRow = useRows({
    ref,
    grid,
    rows: list.data?.items ?? NO_ROWS,
    idOf: ({ customerId }) => customerId,
    customerOf: ({ customerId }) => customerId,
    firstField: FIRST_FIELD,
    openId,
    onOpen,
  });
  const focusSearch = () => {
    search.current?.focus();
    search.current?.select();
  };
  useShortcuts(t('Customers'), openId ? [] : [{ keys: '/', label: t('Find a customer'), run: focusSearch }]);
  const setSearch = (text: string) => go({ q: text }, { replace: true });
  return (
    <>
      <SearchBox
        label={t('Search customers')}
        placeholder={t('Name, company, email, phone, last four')}
        widthPx={344}
        value={q}
        inputRef={search}
        onSearch={setSearch}
        onEnter={(_, isShown) => isShown && focusFirstRow()}
        onArrowDown={focusFirstRow}
      />
      <QueryContent
        query={list}
        isEmpty={({ total }) => total === 0}
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
      >
        {(data) => (
          <DataTable
            list="Customers"
            leaveOut={LEAVE_OUT}
            label={t('Customers')}
            apiRef={grid}
            rows={data.items}
            columns={columns}
            getRowId={(row) => row.customerId}
            getRowClassName={({ row }) => (row.customerId === openId ? 'is-open' : '')}
            total={data.total}
            page={page}
            pageSize={PAGE_SIZE}
            isLoading={list.isPlaceholderData}
            onPage={(next) => go({ q, page: next })}
            onOpen={({ customerId }) => onOpen(customerId)}
            empty={null}
          />
        )}
      </QueryContent>
    </>
  );
}
