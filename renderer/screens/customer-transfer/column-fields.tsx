import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import MenuItem from '@mui/material/MenuItem';
import { useState } from 'react';
import { t } from '#renderer/base/language';
import { ChoiceField } from '#renderer/kit/file-import';
import type { CustomerMapping } from './queries.ts';

const FIELDS: readonly (readonly [keyof CustomerMapping, string])[] = [
  ['name', t('Full name')],
  ['firstName', t('First name')],
  ['lastName', t('Last name')],
  ['company', t('Company')],
  ['email', t('Email')],
  ['phone', t('Phone')],
  ['street', t('Street')],
  ['city', t('City')],
  ['state', t('State')],
  ['zip', t('ZIP')],
  ['country', t('Country')],
  ['notes', t('Notes')],
  ['customerId', t('Customer ID')],
  ['number', t('Card number')],
  ['expiry', t('Expiry date')],
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
      <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: 'repeat(auto-fill, minmax(180px, 1fr))' }}>
        {FIELDS.map(([field, label]) => (
          <ChoiceField
            key={field}
            id={`customer-column-${field}`}
            label={label}
            value={mapping[field] ?? ''}
            onChange={(column) => setMapping((current) => ({ ...current, [field]: column || undefined }))}
          >
            <MenuItem value="">{t('None')}</MenuItem>
            {columns.map((column) => (
              <MenuItem key={column} value={column}>
                {column}
              </MenuItem>
            ))}
          </ChoiceField>
        ))}
      </Box>
      <Box>
        <Button type="submit" variant="contained" color="primary" disabled={!isNamed} loading={isBusy}>
          {t('Read file')}
        </Button>
      </Box>
    </Box>
  );
}
