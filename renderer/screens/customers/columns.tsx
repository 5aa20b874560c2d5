import type { GridColDef } from '@mui/x-data-grid';
import type { Customer, ExpiringCard } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { textColumn, timeColumn } from '#renderer/kit/data-table';
import { phoneText } from '#renderer/kit/ui';
import { ExpiryNote } from './expiry-note.tsx';
import { expiryOf, methodName, nameOf } from './texts.ts';

/** Columns of the customer list. Without a name, another identification is shown. */
export function customerColumns(timeZone: string): GridColDef<Customer>[] {
  return [
    { field: 'name', headerName: t('Name'), flex: 1.1, minWidth: 128, valueGetter: (_, row) => nameOf(row) },
    {
      field: 'company',
      headerName: t('Company'),
      flex: 1,
      minWidth: 110,
      // Without a person's name, the company is the name already.
      valueGetter: (_, row) => (row.company === nameOf(row) ? null : row.company),
    },
    { field: 'email', headerName: t('Email'), flex: 1.4, minWidth: 160, valueGetter: (_, row) => row.email },
    { field: 'phone', headerName: t('Phone'), flex: 0.8, minWidth: 116, valueGetter: (_, { phone }) => phone && phoneText(phone) },
    textColumn('card', t('Default card'), { flex: 0.8, minWidth: 160 }, ({ defaultPaymentMethod: method }) =>
      method ? methodName(method) : '',
    ),
    timeColumn('createdAt', t('Created'), { flex: 0.8, minWidth: 138 }, timeZone, (row) => row.createdAt),
    timeColumn('lastPaymentAt', t('Last payment'), { flex: 0.8, minWidth: 138 }, timeZone, (row) => row.lastPaymentAt),
  ];
}

/** Columns of the list of expiring cards, relative to a date. */
export function expiringColumns(today: string): GridColDef<ExpiringCard>[] {
  return [
    textColumn('customer', t('Customer'), { flex: 1.2, minWidth: 140 }, (row) => row.customerName ?? row.customerEmail),
    { field: 'card', headerName: t('Card'), flex: 0.9, minWidth: 120, valueGetter: (_, row) => methodName(row) },
    {
      field: 'expiresOn',
      headerName: t('Expires'),
      flex: 1,
      minWidth: 150,
      renderCell: ({ row }) => <ExpiryNote lastDay={row.expiresOn} today={today} />,
    },
    { field: 'month', headerName: t('Expiry date'), flex: 0.6, minWidth: 148, valueGetter: (_, row) => expiryOf(row) },
    textColumn('isDefault', t('Default'), { flex: 0.5, minWidth: 116 }, ({ isDefault }) => (isDefault ? t('Yes') : t('No'))),
    textColumn('email', t('Email'), { flex: 1.4, minWidth: 160 }, (row) => row.customerEmail),
  ];
}
