import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '#renderer/base/language';
import { type ApplicationBridge, type LogLine, useDesktop } from '#renderer/desktop/bridge';
import { EmptyState, exactTime, FilterChip, MutedText, QueryContent, StatusChip } from '#renderer/kit/ui';
import { useMerchant } from '#renderer/session/user';

const ORDER: readonly LogLine['level'][] = ['debug', 'info', 'warn', 'error'];

/** Returns true if a line contains the text and has at least the level. */
function matchesFilter({ level, text, detail }: LogLine, searchText: string, minimumLevel: string | undefined): boolean {
  const floor = ORDER.indexOf((minimumLevel ?? 'debug') as LogLine['level']);
  return ORDER.indexOf(level) >= floor && `${text}\n${detail}`.toLowerCase().includes(searchText.trim().toLowerCase());
}

const LINES_MAX = 1_000;
const READ_EVERY_MS = 5_000;
const LEVELS = [
  { value: 'error', name: t('Errors') },
  { value: 'warn', name: t('Errors and warnings') },
  { value: 'info', name: t('Info and above') },
];
const STATES: Readonly<Record<LogLine['level'], readonly [state: string, label: string]>> = {
  debug: ['uncompared', t('Debug')],
  info: ['open', t('Info')],
  warn: ['warning', t('Warning')],
  error: ['problem', t('Error')],
};

/** The application's log, newest first. */
export function LogsTab() {
  const { application } = useDesktop();
  return application && <LogView application={application} />;
}

function LogView({ application }: { application: ApplicationBridge }) {
  const { timezone } = useMerchant();
  const [text, setText] = useState('');
  const [level, setLevel] = useState<string>();
  const log = useQuery({
    queryKey: ['desktop', 'log'],
    queryFn: () => application.readLog(LINES_MAX),
    staleTime: 0,
    refetchInterval: READ_EVERY_MS,
  });
  const isFiltered = text !== '' || level !== undefined;
  const clear = () => {
    setText('');
    setLevel(undefined);
  };
  return (
    <Box sx={{ display: 'grid', gap: 4 }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 3, alignItems: 'flex-end' }}>
        <TextField
          label={t('Search')}
          value={text}
          onChange={({ target }) => setText(target.value)}
          sx={{ width: 280 }}
          slotProps={{ htmlInput: { type: 'search', autoComplete: 'off', spellCheck: false, maxLength: 200 } }}
        />
        <Box sx={{ height: 40, display: 'flex', alignItems: 'center' }}>
          <FilterChip label={t('Level')} options={LEVELS} value={level} onChange={setLevel} />
        </Box>
        <Box sx={{ flex: 1 }} />
        <Button onClick={() => void application.openLogFolder()}>{t('Open log folder')}</Button>
      </Box>
      <QueryContent
        query={{ ...log, data: log.data?.filter((line) => matchesFilter(line, text, level)).reverse() }}
        isEmpty={(lines) => lines.length === 0}
        empty={
          isFiltered ? (
            <EmptyState title={t('No matches')} action={<Button onClick={clear}>{t('Clear filters')}</Button>} />
          ) : (
            <EmptyState title={t('No entries yet')}>{t('Application and server log entries appear here.')}</EmptyState>
          )
        }
      >
        {(lines) => <Lines lines={lines} timeZone={timezone} />}
      </QueryContent>
      <MutedText>
        {t('Shows the newest {{count, number}} entries. Card numbers, keys and passwords are masked.', { count: LINES_MAX })}
      </MutedText>
    </Box>
  );
}

function Lines({ lines, timeZone }: { lines: readonly LogLine[]; timeZone: string }) {
  return (
    <Box
      component="ul"
      aria-label={t('Log')}
      tabIndex={0}
      sx={(theme) => ({
        listStyle: 'none',
        m: 0,
        p: 0,
        maxHeight: 'max(320px, calc(100vh - 380px))',
        overflow: 'auto',
        border: `1px solid ${theme.vars.palette.divider}`,
        borderRadius: 1,
        backgroundColor: theme.vars.palette.background.paper,
        '&:focus-visible': { outline: `2px solid ${theme.vars.palette.primary.main}`, outlineOffset: 1 },
      })}
    >
      {lines.map((line, n) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a log may contain the same line twice with the same time.
        <Line key={n} line={line} timeZone={timeZone} />
      ))}
    </Box>
  );
}

function Line({ line: { at, level, text, detail }, timeZone }: { line: LogLine; timeZone: string }) {
  const [state, label] = STATES[level];
  return (
    <Box
      component="li"
      sx={(theme) => ({
        display: 'flex',
        flexWrap: 'wrap',
        columnGap: 3,
        px: 3,
        py: 1.5,
        fontSize: 12,
        lineHeight: '22px',
        '& + &': { borderTop: `1px solid ${theme.vars.palette.divider}` },
      })}
    >
      <Box component="time" dateTime={at} sx={{ width: 200, color: 'text.secondary' }}>
        {at === '' ? '' : exactTime(at, timeZone)}
      </Box>
      <Box sx={{ width: 84 }}>
        <StatusChip state={state} label={label} />
      </Box>
      <Box sx={{ flex: 1, minWidth: 240, overflowWrap: 'anywhere' }}>
        {text}
        {detail !== '' && (
          <Box className="mono" sx={{ color: 'text.secondary', lineHeight: '18px' }}>
            {detail}
          </Box>
        )}
      </Box>
    </Box>
  );
}
