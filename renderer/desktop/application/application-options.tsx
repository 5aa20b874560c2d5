import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import FormControlLabel from '@mui/material/FormControlLabel';
import Switch from '@mui/material/Switch';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { t } from '#renderer/base/language';
import { type ApplicationBridge, type ApplicationSettings, useDesktop } from '#renderer/desktop/bridge';
import { Section, SelectField } from '#renderer/kit/ui';
import { UpdateLine } from './update-line.tsx';

const QUERY_KEY = ['desktop', 'settings'];
const ON_CLOSE_LABELS = { ask: t('Ask'), tray: t('Keep the API running in the tray'), quit: t('Quit and stop the API') } as const;
type OnClose = keyof typeof ON_CLOSE_LABELS;
const CLOSE_TO_TRAY: Readonly<Record<OnClose, boolean | null>> = { ask: null, tray: true, quit: false };

/** Settings of the desktop application on this computer: closing, starting, updating. Empty in a browser. */
export function ApplicationOptions() {
  const { application } = useDesktop();
  return application ? <Options application={application} /> : null;
}

function Options({ application }: { application: ApplicationBridge }) {
  const client = useQueryClient();
  const { data: settings } = useQuery({ queryKey: QUERY_KEY, queryFn: () => application.readSettings() });
  const change = useMutation({
    mutationFn: (requested: Partial<ApplicationSettings>) => application.changeSettings(requested),
    // The switch shows the new state immediately, before the application confirms it.
    onMutate: (wanted) => client.setQueryData<ApplicationSettings>(QUERY_KEY, (known) => known && { ...known, ...wanted }),
    onSuccess: (changed) => client.setQueryData(QUERY_KEY, changed),
    onError: () => client.invalidateQueries({ queryKey: QUERY_KEY }),
  });
  if (!settings) return null;
  const onClose: OnClose = settings.closeToTray === null ? 'ask' : settings.closeToTray ? 'tray' : 'quit';
  return (
    <Box sx={{ pt: 5 }}>
      <Section title={t('Application')}>
        <Box sx={{ display: 'grid', gap: 3, pt: 2 }}>
          <SelectField
            label={t('When the window is closed')}
            value={onClose}
            options={ON_CLOSE_LABELS}
            onChange={(value) => change.mutate({ closeToTray: CLOSE_TO_TRAY[value] })}
          />
          {settings.startAtLogin !== null && (
            <FormControlLabel
              control={<Switch checked={settings.startAtLogin} onChange={(_, startAtLogin) => change.mutate({ startAtLogin })} />}
              label={t('Start in the tray when this computer starts')}
            />
          )}
          {settings.port !== null && <PortOption port={settings.port} onReset={() => change.mutate({ port: null })} />}
          <UpdateLine />
        </Box>
      </Section>
    </Box>
  );
}

interface PortOptionProps {
  readonly port: number;
  /** Returns to the default port. */
  readonly onReset: () => void;
}

/** A manually chosen port, with a button that restores the default. */
function PortOption({ port, onReset }: PortOptionProps) {
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 3 }}>
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Box sx={{ fontWeight: 600 }}>{t('The API uses port {{port}}', { port })}</Box>
        <Box sx={{ fontSize: 13, color: 'text.secondary' }}>
          {t('This port was chosen manually, and no other port is tried. The default is 4801, or the next free port.')}
        </Box>
      </Box>
      <Button onClick={onReset}>{t('Use default port after restart')}</Button>
    </Box>
  );
}
