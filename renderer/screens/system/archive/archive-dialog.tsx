import Box from '@mui/material/Box';
import FormControlLabel from '@mui/material/FormControlLabel';
import Switch from '@mui/material/Switch';
import TextField from '@mui/material/TextField';
import { useState } from 'react';
import type { ArchiveOverview } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { FormDialog, focusField, useSubmit } from '#renderer/kit/ui';
import { changeArchive, refreshArchives } from './queries.ts';

const KEEP_MIN = 2;
const KEEP_MAX = 10;
const FIELDS: readonly string[] = ['keepYears', 'folder'];

/** Settings of the archive. */
export function ArchiveDialog({ settings, onClose }: { settings: ArchiveOverview; onClose: () => void }) {
  const [isOn, setOn] = useState(settings.isOn);
  const [keepYears, setKeepYears] = useState(String(settings.keepYears));
  const [folder, setFolder] = useState(settings.folder);
  const [isSubmitted, setSubmitted] = useState(false);
  const isKeepValid = /^\d{1,2}$/.test(keepYears) && Number(keepYears) >= KEEP_MIN && Number(keepYears) <= KEEP_MAX;
  const saving = useSubmit({
    send: () =>
      changeArchive({ isOn, keepYears: Number(keepYears), ...(folder.trim() !== settings.folder && { folder: folder.trim() || null }) }),
    refreshFirst: refreshArchives,
    announcement: t('Archive settings saved.'),
    onClose,
  });
  const submit = () => {
    setSubmitted(true);
    if (!isKeepValid) focusField('archive-keepYears');
    else saving.onSubmit();
  };
  const refusal = (name: string) => (saving.failure?.field === name ? saving.failure.message : undefined);
  const keepFault =
    isSubmitted && !isKeepValid
      ? t('Enter a whole number from {{minimum}} to {{maximum}}.', { minimum: KEEP_MIN, maximum: KEEP_MAX })
      : refusal('keepYears');
  return (
    <FormDialog
      {...saving}
      failure={FIELDS.includes(saving.failure?.field ?? '') ? null : saving.failure}
      title={t('Archive of old years')}
      submitLabel={t('Save')}
      onSubmit={submit}
    >
      <Box sx={{ display: 'grid', gap: 4, pt: 1 }}>
        <FormControlLabel
          control={<Switch size="small" checked={isOn} onChange={(_, next) => setOn(next)} autoFocus />}
          label={t('Archive old years automatically')}
        />
        <TextField
          id="archive-keepYears"
          label={t('Complete years to keep in the database')}
          value={keepYears}
          onChange={({ target }) => setKeepYears(target.value.trim())}
          error={keepFault !== undefined}
          helperText={keepFault}
          slotProps={{ htmlInput: { inputMode: 'numeric', autoComplete: 'off', maxLength: 2 } }}
        />
        <TextField
          id="archive-folder"
          label={t('Folder')}
          value={folder}
          onChange={({ target }) => setFolder(target.value)}
          error={refusal('folder') !== undefined}
          helperText={
            refusal('folder') ??
            t('On the computer that runs Paydesk. Leave empty for the default folder. Existing archives stay in theirs.')
          }
          slotProps={{ htmlInput: { autoComplete: 'off', spellCheck: false, maxLength: 500, className: 'mono' } }}
        />
      </Box>
    </FormDialog>
  );
}
