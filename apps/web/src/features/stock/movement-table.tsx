import { actorWords } from '../../lib/actor-words.ts'
import type { StockMovement } from '../../lib/api/api-schema.generated.ts'
import type { MorePages } from '../../lib/api/paged-query.ts'
import { formatCount } from '../../lib/format.ts'
import { t, tc } from '../../lib/i18n/t.ts'
import { LinkText } from '../../ui/link-text.tsx'
import { type Column, DataTable } from '../../ui/lists/data-table.tsx'
import { Time } from '../../ui/time.tsx'
import { formatChange, quantityWords, reasonWords } from './stock-words.ts'

interface MovementTableProps extends MorePages {
  movements: readonly StockMovement[]
  /** Members by their IDs. */
  names: ReadonlyMap<string, string>
}

/** What changed the stock of an item, the latest first. */
export function MovementTable({ movements, names, ...more }: MovementTableProps) {
  const columns: Column<StockMovement>[] = [
    { key: 'why', label: t('Why'), isTitle: true, cell: ({ reason }) => reasonWords[reason] },
    {
      key: 'at',
      label: t('When'),
      cell: ({ happened_at, created_at }) => <Time at={happened_at ?? created_at} as="clock" />,
    },
    { key: 'stock', label: t('Quantity'), cell: ({ stock }) => quantityWords[stock] },
    { key: 'change', label: tc('in amount', 'Change'), align: 'right', cell: ({ change }) => formatChange(change) },
    { key: 'after', label: t('Then'), align: 'right', cell: ({ quantity_after }) => formatCount(quantity_after) },
    {
      key: 'by',
      label: t('By'),
      cell: ({ actor }) => actorWords(actor, names.get(actor.split(':')[1] ?? '') ?? null),
    },
    {
      key: 'for',
      label: t('For'),
      cell: ({ job_id, order_id, notes }) => (
        <span>
          {job_id !== null && (
            <LinkText to="/jobs/$jobId" params={{ jobId: job_id }}>
              {t('The job')}
            </LinkText>
          )}
          {order_id !== null && (
            <LinkText to="/s/$id" params={{ id: order_id }}>
              {t('The order')}
            </LinkText>
          )}
          {(job_id !== null || order_id !== null) && notes !== '' && ' · '}
          {notes === '' && job_id === null && order_id === null ? '–' : notes}
        </span>
      ),
    },
  ]
  return <DataTable label={t('Movements')} columns={columns} rows={movements} rowKey={({ id }) => id} {...more} />
}
