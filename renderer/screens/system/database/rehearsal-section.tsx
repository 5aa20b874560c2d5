import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Link as RouterLink } from 'react-router';
import { api, type FailoverRehearsals, queryClient, takeData } from '#renderer/base/client';
import { numberText, serviceText, Trans, t } from '#renderer/base/language';
import {
  announce,
  CodeBlock,
  ConfirmDialog,
  EmptyState,
  Entry,
  FactList,
  FailureNote,
  MutedText,
  QueryContent,
  Section,
  StatusChip,
  TimeText,
  useSubmit,
} from '#renderer/kit/ui';
import { factsOf, figuresOf, phaseText, secondsText } from './rehearsal-texts.ts';

/** Polling interval while a rehearsal is running, and otherwise. */
const BUSY_POLL_MS = 1_000;
const IDLE_POLL_MS = 15_000;
const PATH = '/api/v1/system/failover-rehearsal';

/** Failover rehearsals with their certificates. During the failover the service answers 503, and the last response stays on screen. */
const rehearsalQuery = queryOptions({
  queryKey: ['system', 'failover-rehearsal'],
  queryFn: ({ signal }) => takeData(api.GET(PATH, { signal })),
  staleTime: 0,
  retry: false,
  refetchInterval: ({ state }) => (state.data?.running ? BUSY_POLL_MS : IDLE_POLL_MS),
});

const refreshRehearsals = () => queryClient.invalidateQueries({ queryKey: rehearsalQuery.queryKey });

const startRehearsal = () => takeData(api.POST(PATH, { body: {} }));

const stopRehearsal = () => takeData(api.DELETE(PATH, {}));

/** Rehearsal of a failover, for owners of the installation: start, progress and certificates. */
export function RehearsalSection({ timeZone }: { timeZone: string }) {
  const query = useQuery(rehearsalQuery);
  const { data, error } = query;
  useAnnouncedEnd(data);
  // A failed poll during the failover is part of the rehearsal.
  const isSwitching = data?.running != null && error !== null;
  return (
    <>
      <Section title={t('Failover rehearsal')}>
        <QueryContent query={isSwitching ? { ...query, error: null } : query}>
          {(rehearsals) => <Rehearsal rehearsals={rehearsals} isSwitching={isSwitching} />}
        </QueryContent>
      </Section>
      {data && (
        <Section title={t('Certificates')}>
          <Certificates certificates={data.certificates} timeZone={timeZone} />
        </Section>
      )}
    </>
  );
}

function Rehearsal({ rehearsals, isSwitching }: { rehearsals: FailoverRehearsals; isSwitching: boolean }) {
  const { refusal, running, patroniHosts, command } = rehearsals;
  const [isAsking, setAsking] = useState(false);
  const start = useSubmit({ send: startRehearsal, refreshFirst: refreshRehearsals, announcement: t('Rehearsal started.') });
  const stop = useMutation({ mutationFn: stopRehearsal, onSettled: () => refreshRehearsals() });
  return (
    <Box sx={{ display: 'grid', gap: 4 }}>
      <MutedText>
        {patroniHosts
          ? t('Patroni ({{servers}}) replaces the primary while sandbox sales run.', { servers: patroniHosts.join(', ') })
          : t('You replace the primary with a command while sandbox sales run.')}{' '}
        {t('The result states how long sales were interrupted, and whether any were lost or doubled.')}
      </MutedText>
      {start.failure && <FailureNote failure={start.failure} />}
      {stop.error && <FailureNote failure={stop.error} />}
      {running ? (
        <Progress running={running} isSwitching={isSwitching} isStopping={stop.isPending} onStop={() => stop.mutate()} />
      ) : refusal ? (
        <Box>{serviceText(refusal.message)}</Box>
      ) : (
        <Box>
          <Button variant="contained" color="primary" loading={start.isBusy} onClick={() => setAsking(true)}>
            {t('Rehearse a failover')}
          </Button>
        </Box>
      )}
      <ConfirmDialog
        title={t('Rehearse a failover?')}
        isOpen={isAsking}
        submitLabel={patroniHosts ? t('Replace the primary') : t('Start sandbox sales')}
        onSubmit={() => {
          setAsking(false);
          start.onSubmit();
        }}
        onClose={() => setAsking(false)}
      >
        {patroniHosts
          ? t('Sales of all workstations stop for some seconds while another database server becomes the primary. Choose a quiet hour.')
          : t(
              'Sales of all workstations stop while another database server becomes the primary. You run this command when the sales have started: {{command}}',
              { command },
            )}
      </ConfirmDialog>
    </Box>
  );
}

interface ProgressProps {
  readonly running: NonNullable<FailoverRehearsals['running']>;
  readonly isSwitching: boolean;
  readonly isStopping: boolean;
  readonly onStop: () => void;
}

function Progress({ running, isSwitching, isStopping, onStop }: ProgressProps) {
  return (
    <Alert severity="info" icon={false} sx={{ '& .MuiAlert-message': { width: '100%' } }}>
      <Box sx={{ display: 'grid', gap: 3 }}>
        <Box sx={{ fontWeight: 600 }}>
          {isSwitching ? t('No primary is available at the moment. This is part of the failover.') : phaseText(running)}
        </Box>
        {running.phase === 'switching' && running.command !== null && <CodeBlock label={t('Command')} text={running.command} />}
        <FactList
          facts={[
            [t('Approved sales'), numberText(running.acknowledged)],
            [
              t('Last sale'),
              running.acknowledged > 0 && !isSwitching ? t('{{duration}} ago', { duration: secondsText(running.sinceLastMs) }) : null,
            ],
          ]}
        />
        <Box>
          <Button size="small" loading={isStopping} onClick={onStop}>
            {t('Stop rehearsal')}
          </Button>
        </Box>
      </Box>
    </Alert>
  );
}

function Certificates({ certificates, timeZone }: { certificates: FailoverRehearsals['certificates']; timeZone: string }) {
  if (certificates.length === 0)
    return (
      <EmptyState title={t('No certificates yet')}>{t('The results of rehearsals appear here. The audit log keeps them.')}</EmptyState>
    );
  return (
    <>
      <Box component="ul" aria-label={t('Certificates')} sx={{ listStyle: 'none', m: 0, p: 0 }}>
        {certificates.map((certificate) => (
          <Entry key={certificate.auditId}>
            <Box sx={{ width: 116 }}>
              <StatusChip state={certificate.result} />
            </Box>
            <Box sx={{ width: 132 }}>
              <TimeText at={certificate.startedAt} timeZone={timeZone} />
            </Box>
            <Box sx={{ flex: 1, minWidth: 260 }}>
              <Box>{figuresOf(certificate)}</Box>
              {certificate.reason && <Box>{serviceText(certificate.reason)}</Box>}
              <Box sx={{ fontSize: 12, color: 'text.secondary', overflowWrap: 'anywhere' }}>{factsOf(certificate)}</Box>
            </Box>
          </Entry>
        ))}
      </Box>
      <Box sx={{ mt: 3 }}>
        <MutedText>
          <Trans
            i18nKey="Each certificate is an entry of the <0>audit log</0>."
            components={[<Link key="0" component={RouterLink} to="/audit?resource=system/failover-rehearsal" underline="always" />]}
          />
        </MutedText>
      </Box>
    </>
  );
}

const RESULTS: Readonly<Record<FailoverRehearsals['certificates'][number]['result'], string>> = {
  passed: t('Rehearsal passed.'),
  failed: t('Rehearsal failed.'),
  stopped: t('Rehearsal stopped.'),
};

/** Announces the result when a rehearsal ends while the screen is open. */
function useAnnouncedEnd(data: FailoverRehearsals | undefined): void {
  const runningId = useRef<string>(undefined);
  useEffect(() => {
    if (!data) return;
    const ended = data.certificates.find(({ rehearsalId }) => rehearsalId === runningId.current);
    if (ended && !data.running) {
      announce(`${RESULTS[ended.result]} ${figuresOf(ended)}`);
      runningId.current = undefined;
    }
    if (data.running) runningId.current = data.running.rehearsalId;
  }, [data]);
}
