import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { t } from '#renderer/base/language';
import { NamedColumnFields, type NamedField } from '#renderer/kit/file-import';
import type { CustomerMapping } from './queries.ts';

const FIELDS: readonly NamedField<keyof CustomerMapping>[] = [
  { field: 'name', label: t('Full name') },
  { field: 'firstName', label: t('First name') },
  { field: 'lastName', label: t('Last name') },
  { field: 'company', label: t('Company') },
  { field: 'email', label: t('Email') },
  { field: 'phone', label: t('Phone') },
  { field: 'street', label: t('Street') },
  { field: 'city', label: t('City') },
  { field: 'state', label: t('State') },
  { field: 'zip', label: t('ZIP') },
  { field: 'country', label: t('Country') },
  { field: 'notes', label: t('Notes') },
  { field: 'customerId', label: t('Customer ID') },
  { field: 'number', label: t('Card number') },
  { field: 'expiry', label: t('Expiry date') },
];

interface ColumnFieldsProps {
  /** Names of the columns of the file. */
  readonly columns: readonly string[];
  readonly isBusy: boolean;
  readonly onSubmit: (mapping: CustomerMapping) => void;
}

/** Asks which columns of a list of customers contain what. */
export function ColumnFields({ columns, isBusy, onSubmit }: ColumnFieldsProps) {
  const [mapping, setMapping] = useState<CustomerMapping>({});
  const { name, firstName, lastName, company, email } = mapping;
  const isNamed = [name, firstName, lastName, company, email].some((column) => column !== undefined);
  return (
    <Box
      component="form"
      aria-label={t('Columns of the file')}
      onSubmit={(event) => {
        event.preventDefault();
        if (isNamed && !isBusy) onSubmit(mapping);
      }}
      sx={{ display: 'grid', gap: 4 }}
    >
      <Box>{t('Choose the columns of this list. A name, a company or an email address is needed.')}</Box>
      <NamedColumnFields
        id="customer-column"
        fields={FIELDS}
        head={{ text: '', hasHeader: true, columns, rows: [] }}
        mapping={mapping}
        onChange={(field, column) => setMapping((current) => ({ ...current, [field]: column || undefined }))}
      />
      <Box>
        <Button type="submit" variant="contained" color="primary" disabled={!isNamed} loading={isBusy}>
          {t('Read file')}
        </Button>
      </Box>
    </Box>
  );
}
