import Box from '@mui/material/Box';
import FormControlLabel from '@mui/material/FormControlLabel';
import Switch from '@mui/material/Switch';
import TextField from '@mui/material/TextField';
import { useState } from 'react';
import type { BackupOverview } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { FormDialog, focusField, fullTime, useSubmit } from '#renderer/kit/ui';
import { TimeField } from '#renderer/session/date-entry';
import { changeBackup, refreshBackups } from './backup-queries.ts';

const TIME = /^([01]\d|2[0-3]):[0-5]\d$/;
const KEEP_MAX = 1_000;
const FIELDS: readonly string[] = ['time', 'keep', 'folder'];

/** Times and folder of automatic backups. */
export function ScheduleDialog({ schedule, onClose }: { schedule: BackupOverview['schedule']; onClose: () => void }) {
  const [isOn, setOn] = useState(schedule.isOn);
  const [time, setTime] = useState(schedule.time);
  const [keep, setKeep] = useState(String(schedule.keep));
  const [folder, setFolder] = useState(schedule.folder);
  const [isChecked, setChecked] = useState(false);
  const isKeepRight = /^\d{1,4}$/.test(keep) && Number(keep) >= 1 && Number(keep) <= KEEP_MAX;
  const faults: Readonly<Record<string, string | undefined>> = {
    time: TIME.test(time) ? undefined : t('Enter a time.'),
    keep: isKeepRight ? undefined : t('Enter a whole number from 1 to {{maximum}}.', { maximum: KEEP_MAX }),
  };
  const saving = useSubmit({
    send: () =>
      changeBackup({ isOn, time, keep: Number(keep), ...(folder.trim() !== schedule.folder && { folder: folder.trim() || null }) }),
    refreshFirst: refreshBackups,
    announcement: ({ nextAt, timezone }) =>
      nextAt === null
        ? t('Saved. Automatic backups are off.')
        : t('Saved. The next backup is {{time}}.', { time: fullTime(nextAt, timezone) }),
    onClose,
  });
  const submit = () => {
    setChecked(true);
    const missing = Object.keys(faults).find((name) => faults[name] !== undefined);
    if (missing !== undefined) focusField(`backup-${missing}`);
    else saving.onSubmit();
  };
  const errorOf = (name: string) =>
    (isChecked ? faults[name] : undefined) ?? (saving.failure?.field === name ? saving.failure.message : undefined);
  const field = (name: string, label: string, help?: string) => ({
    id: `backup-${name}`,
    label,
    error: errorOf(name) !== undefined,
    helperText: errorOf(name) ?? help,
  });
  return (
    <FormDialog
      {...saving}
      failure={FIELDS.includes(saving.failure?.field ?? '') ? null : saving.failure}
      title={t('Daily backup')}
      submitLabel={t('Save')}
      onSubmit={submit}
    >
      <Box sx={{ display: 'grid', gap: 4, pt: 1 }}>
        <FormControlLabel
          control={<Switch size="small" checked={isOn} onChange={(_, next) => setOn(next)} autoFocus />}
          label={t('Back up every day')}
        />
        <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' }, alignItems: 'start' }}>
          <TimeField {...field('time', t('Time'), schedule.timezone)} value={time} onChange={setTime} />
          <TextField
            {...field('keep', t('Backups to keep'))}
            value={keep}
            onChange={({ target }) => setKeep(target.value.trim())}
            slotProps={{ htmlInput: { inputMode: 'numeric', autoComplete: 'off', maxLength: 4 } }}
          />
        </Box>
        <TextField
          {...field(
            'folder',
            t('Folder'),
            t('On the computer that runs Paydesk, ideally on another disk. Leave empty for the default folder.'),
          )}
          value={folder}
          onChange={({ target }) => setFolder(target.value)}
          slotProps={{ htmlInput: { autoComplete: 'off', spellCheck: false, maxLength: 500, className: 'mono' } }}
        />
      </Box>
    </FormDialog>
  );
}
