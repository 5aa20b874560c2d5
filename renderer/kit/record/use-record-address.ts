import { useMatch, useNavigate } from 'react-router';

/** Addresses of the records of a list: that of its screen, followed by the ID of a record. `search` keeps the filters of the list. */
export function useRecordAddress(path: string, search = '') {
  const navigate = useNavigate();
  const openId = useMatch(`${path}/:id`)?.params.id;
  const close = () => void navigate({ pathname: path, search });
  return {
    openId,
    open: (id: string) => void navigate({ pathname: `${path}/${id}`, search }),
    close,
    /** Properties of the record panel. */
    panel: { openId, onClose: close, path },
  };
}
