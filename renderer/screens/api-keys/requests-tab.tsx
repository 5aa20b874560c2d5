import Box from '@mui/material/Box';
import FormControlLabel from '@mui/material/FormControlLabel';
import Switch from '@mui/material/Switch';
import type { GridColDef } from '@mui/x-data-grid';
import { useMutation, useQuery } from '@tanstack/react-query';
import { addressSchema, oneOf, useAddress } from '#renderer/base/address';
import { t } from '#renderer/base/language';
import { RecordList, textColumn } from '#renderer/kit/data-table';
import { copyText, EmptyState, FailureNote, SelectField, showToast, TimeText } from '#renderer/kit/ui';
import { useIsSandbox, useMay, useMe, useMerchant } from '#renderer/session/user';
import { requestsQuery, type SandboxTier, sandboxTierQuery, setSandboxTier } from './queries.ts';
import { RateLimits } from './rate-limits.tsx';

/** Columns that a narrow window leaves out, in this order. */
const LEAVE_OUT = ['credential', 'code'];
const ADDRESS = addressSchema({ only: oneOf(['failed']) });

interface Row {
  readonly id: string;
  readonly at: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly ms: number;
  readonly code: string | null;
  readonly credential: string | null;
}

/** Recent API requests with their responses. */
export function RequestsTab() {
  const { timezone } = useMerchant();
  const { values, change } = useAddress(ADDRESS);
  const { only, page } = values;
  const requests = useQuery(requestsQuery(only === 'failed', page));
  const columns: GridColDef<Row>[] = [
    { field: 'at', headerName: t('Time'), flex: 0.8, minWidth: 110, renderCell: ({ row }) => <TimeText at={row.at} timeZone={timezone} /> },
    { field: 'method', headerName: t('Method'), width: 84 },
    { field: 'path', headerName: t('Path'), flex: 2, minWidth: 200, cellClassName: 'mono' },
    { field: 'status', headerName: t('Status'), width: 76, align: 'right', headerAlign: 'right' },
    { field: 'code', headerName: t('Code'), flex: 1, minWidth: 150, valueGetter: (_, { code }) => code ?? '–' },
    { field: 'ms', headerName: t('Duration'), width: 88, align: 'right', headerAlign: 'right', valueGetter: (_, { ms }) => `${ms} ms` },
    textColumn('credential', t('Credential'), { flex: 1, minWidth: 140 }, ({ credential }) => credential ?? t('Rejected')),
  ];
  return (
    <Box sx={{ flex: 1, minHeight: 0, display: 'flex', flexDirection: 'column', gap: 3 }}>
      <RateLimits />
      <Box sx={{ display: 'flex', gap: 6, alignItems: 'center', flexWrap: 'wrap' }}>
        <FormControlLabel
          control={<Switch checked={only === 'failed'} onChange={(_, next) => change({ only: next ? 'failed' : undefined })} />}
          label={t('Rejected and failed only')}
        />
        <ErrorCounts rows={requests.data?.items ?? []} />
        <SandboxTierField />
      </Box>
      <RecordList
        list="Requests"
        leaveOut={LEAVE_OUT}
        query={requests}
        label={t('Requests')}
        columns={columns}
        idOf={(row) => row.id}
        page={page}
        onPage={(next) => change({ page: next })}
        onOpen={({ id }) => void copyText(id, t('Request ID'))}
        empty={
          <EmptyState title={t('No requests yet')}>
            {t('This list shows the last 500 requests since the server started, without their contents.')}
          </EmptyState>
        }
      />
    </Box>
  );
}

/** Number of errors by code on the current page, the most frequent first. */
function ErrorCounts({ rows }: { rows: readonly Row[] }) {
  const counts = new Map<string, number>();
  for (const { code } of rows) if (code) counts.set(code, (counts.get(code) ?? 0) + 1);
  if (counts.size === 0)
    return (
      <Box sx={{ fontSize: 13, color: 'text.secondary' }}>{t('No errors on this page. Press Enter on a row to copy its request ID.')}</Box>
    );
  return (
    <Box
      component="ul"
      aria-label={t('Errors')}
      sx={{ m: 0, p: 0, listStyle: 'none', display: 'flex', gap: 4, flexWrap: 'wrap', fontSize: 13 }}
    >
      {[...counts]
        .sort(([, left], [, right]) => right - left)
        .map(([code, count]) => (
          <li key={code}>
            <span className="mono">{code}</span> × {count}
          </li>
        ))}
    </Box>
  );
}

const TIERS: Readonly<Record<SandboxTier, string>> = {
  sandbox: t('No limits'),
  standard: t('Standard: 100 a minute'),
  professional: t('Professional: 300 a minute'),
  enterprise: t('Enterprise'),
};

/** Request limits of a sandbox account, so that a program can meet 429 before it goes live. */
function SandboxTierField() {
  const may = useMay();
  const { user } = useMe();
  const isShown = useIsSandbox() && may('settings:read');
  const { data } = useQuery({ ...sandboxTierQuery, enabled: isShown });
  const change = useMutation({ mutationFn: setSandboxTier, onSuccess: () => showToast(t('Request limits changed.')) });
  if (!isShown || data === undefined) return null;
  return (
    <>
      <SelectField
        size="small"
        label={t('Request limits of the sandbox')}
        value={data.tier}
        disabled={change.isPending || !may('settings:write') || user.merchantId !== null}
        options={TIERS}
        onChange={(value) => change.mutate(value)}
        sx={{ width: 240 }}
      />
      {change.error && <FailureNote failure={change.error} />}
    </>
  );
}
