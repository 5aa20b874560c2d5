import Box from '@mui/material/Box';
import type { GridColDef } from '@mui/x-data-grid';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { addressSchema, useAddress } from '#renderer/base/address';
import type { Approval } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { figureColumn, RecordList, statusColumn, textColumn, timeColumn } from '#renderer/kit/data-table';
import { RecordPanel, useRecordAddress } from '#renderer/kit/record';
import { actorText, EmptyState, MoneyText, Screen } from '#renderer/kit/ui';
import { useMe, useMerchant } from '#renderer/session/user';
import { customerOf, kindText, requestReasonOf } from '#renderer/shared/approvals';
import { ApprovalView } from './approval-view.tsx';
import { approvalsQuery } from './queries.ts';

/** Columns that a narrow window leaves out, in this order. */
const LEAVE_OUT = ['decidedBy', 'requestReason', 'payer', 'requestedBy'];

const ADDRESS = addressSchema({});
const FIRST_FIELD = 'createdAt';

/** Requests for the approval of a second person, newest first. */
export function ApprovalsScreen() {
  const { user } = useMe();
  const merchant = useMerchant();
  const { values, search, go } = useAddress(ADDRESS);
  const { openId: approvalId, open, panel } = useRecordAddress('/approvals', search);
  // Changes of access belong to the whole account, so that a person of all merchants sees every request.
  const list = useQuery(approvalsQuery(user.merchantId === null ? undefined : merchant.merchantId, values.page));
  const columns = useMemo(() => columnsFor(merchant.timezone), [merchant.timezone]);
  return (
    <Screen title={t('Approvals')} fillsHeight subtitle={t('Operations that needed a second person, and the decisions.')}>
      <Box sx={{ display: 'flex', flexDirection: 'column', flex: 1, minHeight: 0 }}>
        <RecordList
          leaveOut={LEAVE_OUT}
          list="Approvals"
          query={list}
          label={t('Approvals')}
          columns={columns}
          idOf={(row) => row.approvalId}
          page={values.page}
          onPage={(page) => go({ page })}
          openId={approvalId}
          onOpen={(row) => open(row.approvalId)}
          empty={
            <EmptyState title={t('No approvals yet')}>
              {t('Requests appear here as soon as a rule in Settings, Approval rules requires a second person.')}
            </EmptyState>
          }
        />
      </Box>
      <RecordPanel label={t('Approval')} {...panel}>
        {(id, isOpen) => <ApprovalView approvalId={id} takesFocus={isOpen} />}
      </RecordPanel>
    </Screen>
  );
}

function columnsFor(timezone: string): GridColDef<Approval>[] {
  return [
    timeColumn(FIRST_FIELD, t('Requested'), { flex: 0.9, minWidth: 124 }, timezone, (row) => row.createdAt),
    statusColumn({ flex: 0.7, minWidth: 112 }, (row) => row.status, 'approval'),
    // As the name of a row, the operation is left out last.
    { field: 'name', headerName: t('Operation'), flex: 1.2, minWidth: 216, valueGetter: (_, row) => kindText(row) },
    figureColumn('amount', t('Amount'), { flex: 0.8, minWidth: 104 }, (row) =>
      row.amount === null ? null : <MoneyText amount={row.amount} currency={row.currency ?? ''} code />,
    ),
    { field: 'payer', headerName: t('Customer'), flex: 1, minWidth: 120, valueGetter: (_, row) => customerOf(row) },
    { field: 'requestReason', headerName: t('Reason'), flex: 1.4, minWidth: 136, valueGetter: (_, row) => requestReasonOf(row) },
    textColumn('requestedBy', t('Requested by'), { flex: 1.2, minWidth: 136 }, (row) => actorText(row.requestedBy)),
    { field: 'decidedBy', headerName: t('Decided by'), flex: 1.2, minWidth: 136, valueGetter: (_, row) => actorText(row.decidedBy ?? '') },
  ];
}
