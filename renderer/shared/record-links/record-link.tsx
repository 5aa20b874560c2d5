import Link from '@mui/material/Link';
import { useQuery } from '@tanstack/react-query';
import { Link as RouterLink } from 'react-router';
import { CopyText } from '#renderer/kit/ui';
import { useMay } from '#renderer/session/user';
import { RECORD_NAMES } from './record-names.ts';
import { relatedRecord } from './related-record.ts';

/** A record as a link that names it in words; its ID for people who may not open it, and for records without a screen. */
export function RecordLink({ resourceId }: { readonly resourceId: string }) {
  const may = useMay();
  const record = relatedRecord(resourceId);
  const isShown = record !== undefined && may(record.permission);
  const { data: name } = useQuery({
    queryKey: ['record-name', resourceId],
    queryFn: () => (record === undefined ? '' : RECORD_NAMES[record.prefix](resourceId)),
    enabled: isShown,
  });
  if (!isShown) return <CopyText text={resourceId} label="ID" />;
  return (
    <Link component={RouterLink} to={record.path} sx={{ font: 'inherit' }}>
      {[record.what, name].filter(Boolean).join(': ')}
    </Link>
  );
}
