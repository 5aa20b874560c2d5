import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { api, queryClient, takeData } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { announce, FailureNote } from '#renderer/kit/ui';
import { useMay, useMe } from '#renderer/session/user';

const cardRangesQuery = queryOptions({ queryKey: ['settings', 'card-ranges'], queryFn: () => takeData(api.GET('/api/v1/card-ranges')) });

function importRanges(file: File) {
  const form = new FormData();
  form.set('file', file);
  return takeData(api.POST('/api/v1/card-ranges/import', { body: { file: file.name }, bodySerializer: () => form }));
}

/** Number of card ranges of the account, and their import from a file of the acquirer. */
export function CardRanges() {
  const input = useRef<HTMLInputElement>(null);
  const may = useMay();
  const { user } = useMe();
  const { data } = useQuery(cardRangesQuery);
  const upload = useMutation({
    mutationFn: importRanges,
    onSuccess: (counts) => {
      queryClient.setQueryData(cardRangesQuery.queryKey, counts);
      void queryClient.invalidateQueries({ queryKey: ['sell', 'surcharge'] });
      announce(t('The card ranges were imported.'));
    },
  });
  return (
    <Box sx={{ display: 'grid', gap: 3 }}>
      <Box sx={{ fontSize: 13, color: 'text.secondary' }}>
        {t(
          'Your acquirer supplies a CSV file with the columns firstDigits (or bin) and funding (or type): credit, debit or prepaid. A new file replaces the former ranges of all merchants.',
        )}
      </Box>
      {data && (
        <Box role="status">
          {t('{{credit}} credit, {{debit}} debit and {{prepaid}} prepaid ranges', {
            credit: data.credit,
            debit: data.debit,
            prepaid: data.prepaid,
          })}
        </Box>
      )}
      {may('merchants:write') && user.merchantId === null && (
        <Box>
          <input
            ref={input}
            type="file"
            accept=".csv,.txt,text/csv"
            aria-label={t('File of card ranges')}
            hidden
            onChange={({ target }) => {
              const file = target.files?.[0];
              // The same file may be chosen again, after it was changed.
              target.value = '';
              if (file) upload.mutate(file);
            }}
          />
          <Button onClick={() => input.current?.click()} loading={upload.isPending}>
            {t('Import card ranges')}
          </Button>
        </Box>
      )}
      {upload.error && <FailureNote failure={upload.error} />}
    </Box>
  );
}
