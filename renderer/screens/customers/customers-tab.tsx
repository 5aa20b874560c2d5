import Button from '@mui/material/Button';
import { useGridApiRef } from '@mui/x-data-grid';
import { useQuery } from '@tanstack/react-query';
import { type Ref, useMemo, useRef } from 'react';
import { useAddress } from '#renderer/address';
import { DataTable } from '#renderer/data-table';
import { useMay, useMerchant } from '#renderer/session';
import { Answer, EmptyNote, SearchBox, useShortcuts } from '#renderer/ui';
import { ADDRESS } from './address.ts';
import { customerColumns } from './columns.tsx';
import { listQuery, PAGE_SIZE } from './queries.ts';
import { type Rows, useRows } from './rows.ts';

const FIRST_FIELD = 'name';
const NONE: never[] = [];

/** Callbacks of a list to its screen. */
export interface TabProps {
  readonly openId: string | undefined;
  readonly onOpen: (customerId: string) => void;
  readonly ref: Ref<Rows>;
}

/** All customers of the merchant, found by one box. */
export function CustomersTab({ openId, onOpen, onNew, ref }: TabProps & { readonly onNew: () => void }) {
  const { merchantId, timezone } = useMerchant();
  const canWrite = useMay()('customers:write');
  const { values, go } = useAddress(ADDRESS);
  const { q, page } = values;
  const list = useQuery(listQuery(merchantId, q, page));
  const columns = useMemo(() => customerColumns(timezone), [timezone]);
  const grid = useGridApiRef();
  const search = useRef<HTMLInputElement>(null);
  const intoRows = useRows({
    ref,
    grid,
    rows: list.data?.items ?? NONE,
    idOf: ({ customerId }) => customerId,
    customerOf: ({ customerId }) => customerId,
    firstField: FIRST_FIELD,
    openId,
    onOpen,
  });
  const toSearch = () => {
    search.current?.focus();
    search.current?.select();
  };
  useShortcuts('Customers', openId ? [] : [{ keys: '/', label: 'Find a customer', run: toSearch }]);
  const setSearch = (text: string) => go({ q: text }, { replace: true });
  return (
    <>
      <SearchBox
        label="Search customers"
        placeholder="Name, company, e-mail, phone, last four"
        widthPx={344}
        value={q}
        inputRef={search}
        onSearch={setSearch}
        onEnter={(_, isShown) => isShown && intoRows()}
        onDown={intoRows}
      />
      <Answer
        of={list}
        isEmpty={({ total }) => total === 0}
        empty={
          q === '' ? (
            <EmptyNote title="No customers yet" action={canWrite && <Button onClick={onNew}>Add the first customer</Button>}>
              Keep who comes back, with the cards they agreed to have stored.
            </EmptyNote>
          ) : (
            <EmptyNote title="No match" action={<Button onClick={() => setSearch('')}>Clear search</Button>}>
              No customer’s name, company, e-mail, phone or last four begins with “{q}”.
            </EmptyNote>
          )
        }
      >
        {(data) => (
          <DataTable
            label="Customers"
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
      </Answer>
    </>
  );
}
