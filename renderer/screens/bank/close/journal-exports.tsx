import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import Typography from '@mui/material/Typography';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { ChevronDown } from 'lucide-react';
import { useId, useState } from 'react';
import type { JournalExport } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { actorText, announce, dayText, FailureNote, MutedText, TimeText } from '#renderer/kit/ui';
import { JOURNAL_FORMATS, type JournalFormat, saveJournal } from './journal-formats.ts';
import { journalExportsQuery } from './queries.ts';

const FIRST_ROWS = 5;
/** Longest page of the API. */
const ROWS_MAX = 200;

/** Earlier exports of the journal, whose files can be downloaded again. Absent until there is one. */
export function JournalExports({ merchantId, timezone }: { readonly merchantId: string; readonly timezone: string }) {
  const titleId = useId();
  const [limit, setLimit] = useState(FIRST_ROWS);
  const exports = useQuery({ ...journalExportsQuery(merchantId, limit), placeholderData: keepPreviousData });
  if (exports.error) return <FailureNote failure={exports.error} onRetry={() => void exports.refetch()} />;
  if (exports.data === undefined || exports.data.items.length === 0) return null;
  const { items, total } = exports.data;
  return (
    <Box component="section" aria-labelledby={titleId} sx={{ display: 'grid', gap: 2 }}>
      <Typography variant="h3" id={titleId}>
        {t('Journal exports')}
      </Typography>
      <MutedText>{t('A file that you download again has the same entries and IDs as the first time.')}</MutedText>
      <Box sx={{ overflowX: 'auto' }}>
        <Box
          component="table"
          aria-labelledby={titleId}
          sx={(theme) => ({
            width: '100%',
            borderCollapse: 'collapse',
            fontSize: 14,
            '& th, & td': {
              py: 1,
              px: 2,
              borderBottom: `1px solid ${theme.vars.palette.divider}`,
              textAlign: 'start',
              whiteSpace: 'nowrap',
            },
            '& thead th': { py: 2, fontSize: 12, fontWeight: 600, color: theme.vars.palette.text.secondary },
            '& td:nth-of-type(5)': { textAlign: 'end', fontVariantNumeric: 'tabular-nums' },
            '& th:nth-of-type(5)': { textAlign: 'end' },
            '& td:last-of-type': { textAlign: 'end' },
          })}
        >
          <thead>
            <tr>
              <th scope="col">{t('Exported')}</th>
              <th scope="col">{t('Period')}</th>
              <th scope="col">{t('Exported by')}</th>
              <th scope="col">{t('Contents')}</th>
              <th scope="col">{t('New entries')}</th>
              <td />
            </tr>
          </thead>
          <tbody>
            {items.map((each) => (
              <ExportRow key={each.journalExportId} journalExport={each} timezone={timezone} />
            ))}
          </tbody>
        </Box>
      </Box>
      {total > items.length && limit < ROWS_MAX && (
        <Box>
          <Button variant="text" loading={exports.isPlaceholderData} onClick={() => setLimit(Math.min(limit * 4, ROWS_MAX))}>
            {t('Show more exports')}
          </Button>
        </Box>
      )}
    </Box>
  );
}

function ExportRow({ journalExport, timezone }: { readonly journalExport: JournalExport; readonly timezone: string }) {
  const { startDate, endDate, createdAt, createdBy, newEntries, only, currency } = journalExport;
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const period = startDate === endDate ? dayText(startDate) : `${dayText(startDate)} – ${dayText(endDate)}`;
  const saving = useMutation({
    mutationFn: (format: JournalFormat) => saveJournal(journalExport, format),
    onSuccess: () => announce(t('Journal downloaded.')),
  });
  return (
    <tr>
      <td>
        <TimeText at={createdAt} timeZone={timezone} />
      </td>
      <td>{period}</td>
      <td>{actorText(createdBy)}</td>
      <td>{[only === 'new' ? t('Only new entries') : t('All entries'), currency].filter(Boolean).join(', ')}</td>
      <td>{newEntries}</td>
      <td>
        <Button
          size="small"
          aria-haspopup="menu"
          aria-expanded={anchor !== null}
          aria-label={t('Download again: {{period}}', { period })}
          onClick={(event) => setAnchor(event.currentTarget)}
          endIcon={<ChevronDown size={14} aria-hidden />}
        >
          {t('Download again')}
        </Button>
        <Menu anchorEl={anchor} open={anchor !== null} onClose={() => setAnchor(null)} slotProps={{ list: { 'aria-label': t('Format') } }}>
          {JOURNAL_FORMATS.map(([id, name]) => (
            <MenuItem
              key={id}
              onClick={() => {
                setAnchor(null);
                // The button stays enabled, because it would lose the focus.
                if (!saving.isPending) saving.mutate(id);
              }}
            >
              {name}
            </MenuItem>
          ))}
        </Menu>
        {saving.error && <FailureNote failure={saving.error} />}
      </td>
    </tr>
  );
}
